"""Tests of a person's own: word pairs with scores, analogies, words with categories, or outliers, in the file as it is.

    word1,word2,score            similarity: two words and a number
    word1,word2,word3,target     analogies: four words; also under lines `: section`, as word2vec has them
    category,word                categories
    a word a line                outliers (these are named by `task` alone): words that belong together, an empty line,
                                 the outliers, and so on after an empty line

Fields are between commas (`.csv`), tabs, or white space. A header says what a file is; without one its first line does.
Lines that begin with # are comments, which are counted. A word of a `.csv` that begins so can stand in quotation marks.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Unpack, get_args

from repline.errors import InputError, shown
from repline.evaluation.word_vectors.benchmark_files import (
    SECTION,
    BenchmarkFile,
    names_scores,
    read_outliers,
    without_marks,
)
from repline.evaluation.word_vectors.suite import Test
from repline.reading.file_names import present
from repline.reading.settings import TableReading
from repline.reading.table_fields import finite_number, is_number, table_fields
from repline.reading.table_heads import AGAIN
from repline.reading.wrong_records import WrongRecord

TableTask = Literal["similarity", "analogy", "categorization"]
OwnTask = TableTask | Literal["outliers"]
TASKS = (*get_args(TableTask), "outliers")
COLUMNS: dict[TableTask, tuple[tuple[str, ...], ...]] = {  # names in a header, in the order of the items
    "analogy": (("word1",), ("word2",), ("word3",), ("target", "word4")),
    "categorization": (("category",), ("word",)),
    "similarity": (("word1",), ("word2",), ("similarity", "score", "rating", "relatedness")),
}
FORM: dict[TableTask, str] = {
    "similarity": "two words and a number",
    "analogy": "four words",
    "categorization": "a category and a word",
}
NO_SECTION = "all"  # the section of analogies without sections

Line = tuple[int, list[str]]


def read_own(
    path: str | Path, task: OwnTask | None = None, **reading: Unpack[TableReading]
) -> tuple[Test, tuple[Any, ...]]:
    """One file as a test and its items, as `repline.evaluation.word_vectors.suite.measure` wants them.

    Args:
        task: what the file is; None to tell it by its header, or else by its first line.
        reading: `on_error`, at a wrong line, or an account of wrong ones which the caller reads later; and `encoding`.

    Raises:
        InputError: there is no such file, it is no UTF-8, it is none of these, or a line is not like the first.
    """
    path = Path(path)
    if not present(path).exists():
        raise InputError(f"{path}: there is no such file of tests")
    if task == "outliers":
        return Test(path.stem, task, "own", (path.name,)), (read_outliers(path, **reading),)
    file = BenchmarkFile(path, **reading)
    lines = _lines(file)
    header = [name.lower() for name in lines[0][1]]
    named = [kind for kind, columns in COLUMNS.items() if all(set(names) & set(header) for names in columns)]
    task = task or (named[0] if named else _by_form(file, lines))
    if task in named:
        column_numbers = [next(header.index(name) for name in names if name in header) for names in COLUMNS[task]]
        section = header.index("type") if "type" in header else None
        rows = _named(file, lines, len(header), column_numbers, section)
    else:
        rows = _plain(file, lines, task)
    rows = [row for row in rows if _is_item(file, task, row)]
    if not rows:
        raise InputError(f"{path}: expected at least one line of {FORM[task]}, found none")
    return Test(path.stem, task, "own", (path.name,)), _items(task, rows)


def _lines(file: BenchmarkFile) -> list[Line]:
    lines = []
    for number, line in file.filled():
        if line.startswith("#"):
            file.left_out.pass_over("lines that begin with #, as comments do")
            continue
        if line.startswith(SECTION):
            fields = [line]
        elif file.is_csv:
            fields = table_fields(line, ",")
        else:
            fields = line.split("\t") if "\t" in line else line.split()
        lines.append((number, [field.strip() for field in fields]))
    if not lines:
        raise InputError(f"{file.path}: expected lines of words, found an empty file")
    return lines if file.is_csv else without_marks(lines)


def _by_form(file: BenchmarkFile, lines: Sequence[Line]) -> TableTask:
    """By the second line where there is one, for the first may be a header with names of its own.

    Where wrong lines are left out, by the first of a known form behind the first line.
    """
    path = file.path
    if lines[0][1][0].startswith(SECTION):
        return "analogy"
    candidates = [*lines[1:], lines[0]]
    for _, fields in candidates if file.left_out.on_error == "salvage" else candidates[:1]:
        if len(fields) == 4 and not any(map(is_number, fields)):
            return "analogy"
        if len(fields) == 3 and is_number(fields[2]):
            return "similarity"
    number, fields = candidates[0]
    if file.is_csv and all(";" in ",".join(fields) for _, fields in lines):
        raise InputError(
            f"{path}: fields stand between semicolons; save the table with commas between them and points in numbers, "
            "or as text with tabs"
        )
    raise InputError(
        f"{path}, line {number}: expected two words and a number, four words, or a header like category,word on the "
        f"first line; found {shown(' '.join(fields))}; say what it is by --task {'|'.join(TASKS)}"
    )


def _named(
    file: BenchmarkFile, lines: Sequence[Line], width: int, column_numbers: Sequence[int], section: int | None
) -> list[Line]:
    rows = []
    for number, fields in lines[1:]:
        if fields == lines[0][1]:
            file.left_out.add(WrongRecord(file.path, f"line {number}", AGAIN, "the head again"))
            continue
        if len(fields) != width:
            file.left_out.add(file.wrong(number, f"{width} fields as in the header", str(len(fields))))
            continue
        name = NO_SECTION if section is None else fields[section]
        rows.append((number, [*(fields[column] for column in column_numbers), name]))
    return rows


def _plain(file: BenchmarkFile, lines: Sequence[Line], task: TableTask) -> list[Line]:
    rows, section = [], NO_SECTION
    for number_of_line, (number, fields) in enumerate(lines):
        if task == "analogy" and fields[0].startswith(SECTION):
            section = fields[0][1:].strip()
            continue
        if task == "similarity" and number_of_line == 0 and len(fields) == 3 and names_scores(fields):
            continue  # a header with names of its own
        if len(fields) != len(COLUMNS[task]):
            file.left_out.add(file.wrong(number, FORM[task], shown(" ".join(fields))))
            continue
        rows.append((number, [*fields, section]))
    return rows


def _is_item(file: BenchmarkFile, task: TableTask, row: Line) -> bool:
    """Whether a row is right; a wrong one is left out."""
    number, fields = row
    with file.left_out:
        if not all(fields[:-1]):
            raise file.wrong(number, FORM[task], "an empty field")
        if task == "similarity" and not is_number(fields[2]):
            raise file.wrong(number, "a number as the score", shown(fields[2]))
        return True
    return False


def _items(task: TableTask, rows: Sequence[Line]) -> tuple[Any, ...]:
    if task == "similarity":
        return [(first, second) for _, (first, second, *_) in rows], [finite_number(fields[2]) for _, fields in rows]
    if task == "analogy":
        return [tuple(fields[:4]) for _, fields in rows], [fields[4] for _, fields in rows]
    return [fields[1] for _, fields in rows], [fields[0] for _, fields in rows]
