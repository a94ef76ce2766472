"""The files in which tests of word vectors are published, as lists of pairs, questions and categories.

Every reader takes `on_error` (stop, salvage, or an account of wrong lines which the caller reads later) and the
`encoding` of files without a byte order mark. It raises InputError naming the file and the line that is not what it
should be, or that there is none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Unpack

from repline.errors import InputError, shown
from repline.evaluation.word_vectors.semeval_relations import Relation
from repline.reading.file_names import unpacked_name
from repline.reading.settings import TableReading
from repline.reading.table_fields import finite_number, in_marks, table_fields, unquoted
from repline.reading.table_heads import AGAIN
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

SECTION = ": "  # what the name of a section stands behind
_NO_FINITE = re.compile(r"[-+]?(?:nan|inf(?:inity)?)", re.IGNORECASE)
PART_OF_SPEECH = re.compile(r"-[a-z]$")  # of MEN's lemmas: sun-n, sunlight-n


class BenchmarkFile:
    """A file of a test; wrong lines go to `left_out`."""

    def __init__(self, path: str | Path, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> None:
        self.path, self.left_out, self.encoding = Path(path), LeftOut.of(on_error), encoding
        self.is_csv = unpacked_name(self.path).endswith(".csv")

    def wrong(self, line: int, expected: str, actual: str) -> WrongRecord:
        """An error for a line; its reason is what was expected."""
        return WrongRecord(self.path, f"line {line}", f"expected {expected}, found {actual}", f"expected {expected}")

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, also blank ones."""
        return visible_lines(self.path, self.encoding, self.left_out)

    def filled(self) -> Iterator[tuple[int, str]]:
        """The lines with something in them, without white space around it."""
        return ((number, line.strip()) for number, line in self.lines() if line.strip())

    def fields(self) -> Iterator[tuple[int, list[str]]]:
        """The fields of each line, three or more, between tabs or white space; lines that start with # are comments."""
        for number, text in self.filled():
            if text.startswith("#"):
                continue
            fields = [field.strip() for field in text.split("\t")] if "\t" in text else text.split()
            with self.left_out:
                if len(fields) < 3 or not all(fields[:3]):
                    raise self.wrong(number, "two words and a score", shown(text))
                yield number, fields

    def table(self, columns: Sequence[str], ends: bool = False) -> Iterator[tuple[int, list[str]]]:
        """Line number and the fields of `columns`; `ends`: rows without the first are no rows but ends of sections."""
        lines = self.lines()
        header = [name.strip() for name in table_fields(next(lines, (1, ""))[1], ",")]
        for column in columns:
            if column not in header:
                there = shown(", ".join(header)) if any(header) else "an empty file"
                raise InputError(f"{self.path}: expected a column {shown(column)}, found {there}")
        column_numbers = [header.index(column) for column in columns]
        for number, line in lines:
            if not line.strip():
                continue
            row = table_fields(line, ",")
            with self.left_out:
                if [name.strip() for name in row] == header:
                    raise WrongRecord(self.path, f"line {number}", AGAIN, "the head again")
                if len(row) != len(header):
                    raise self.wrong(number, f"{len(header)} fields", str(len(row)))
                fields = [row[column_number].strip() for column_number in column_numbers]
                if not any(fields) or (ends and not fields[0]):
                    continue  # an index and no pair, as at the end of vecto's WordSim-353
                if not all(fields):
                    problem = f"{columns[fields.index('')]} is empty"
                    raise WrongRecord(self.path, f"line {number}", problem)
                yield number, fields


def without_marks(lines: Iterable[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Lines of words without quotation marks around the words, where every word of the file has them."""
    lines = list(lines)
    if not in_marks(field for _, fields in lines for field in fields):
        return lines
    return [(number, [unquoted(field) for field in fields]) for number, fields in lines]


def names_scores(fields: Sequence[str]) -> bool:
    """Whether a line of words and scores is a header, and not a pair with a slip in its score or between its words.

    The name of a score has two letters side by side. Further numbers are those of raters: 1, 2, 3.
    """
    raters = [field for field in fields[3:] if re.fullmatch(r"[-+.\d]+", field)]
    is_name = re.search(r"[^\W\d_]{2}", fields[2]) is not None and not _NO_FINITE.fullmatch(fields[2])
    return is_name and len(raters) != 1 and raters == [str(number) for number in range(1, len(raters) + 1)]


def read_pairs(
    path: str | Path,
    *,
    columns: Sequence[str] = ("word1", "word2", "similarity"),
    **reading: Unpack[TableReading],
) -> tuple[list, list]:
    """Pairs of words and their scores: a CSV with a header, or three columns between white space.

    Without commas: `word1 word2 score` a line, fields between tabs where there are any; lines that start with # and a
    first line without a number are no pairs. A further column is not read. Quotation marks are no part of the words
    where they enclose every word.

    Args:
        columns: names in the header of the CSV.

    Returns:
        ([n] of (word, word), [n] of float). A part of speech at the end of a word of a CSV (`sun-n`) is cut off where
        every word has one.
    """
    file = BenchmarkFile(path, **reading)
    pairs: list[tuple[str, str]] = []
    scores: list[float] = []
    for line, fields in file.table(columns) if file.is_csv else without_marks(file.fields()):
        first, second, score = fields[:3]
        try:
            scores.append(finite_number(score))
        except ValueError:
            if line > 1 or pairs or not names_scores(fields):
                file.left_out.add(file.wrong(line, "a number as the score", shown(score)))
            continue
        pairs.append((first, second))
    _check_some(pairs, path, "pair of words")
    if file.is_csv and all(PART_OF_SPEECH.search(word) for pair in pairs for word in pair):
        pairs = [(first[:-2], second[:-2]) for first, second in pairs]
    return pairs, scores


def read_analogies(
    path: str | Path, *, sectioned: bool = True, **reading: Unpack[TableReading]
) -> tuple[list[tuple[str, str, str, str]], list[str]]:
    """Analogy questions and the section of each: a CSV with type, word1, word2, word3, target, or word2vec's format.

    word2vec's: lines `: section`, and under each lines of four words.

    Args:
        sectioned: false for a text that is only lines of four words; they are in the section "all".

    Returns:
        ([n] of (a, b, c, expected), [n] of section).
    """
    file = BenchmarkFile(path, **reading)
    questions: list[tuple[str, str, str, str]] = []
    sections: list[str] = []
    if file.is_csv:
        for _, (name, a, b, c, expected) in file.table(("type", "word1", "word2", "word3", "target")):
            questions.append((a, b, c, expected))
            sections.append(name)
    else:
        section = None if sectioned else "all"
        for line, text in file.filled():
            if text.startswith(SECTION):
                section = text[1:].strip()
                continue
            words = text.split()
            if section is None or len(words) != 4:
                expectation = "four words" if section is not None else "a section (`: name`) before the first question"
                file.left_out.add(file.wrong(line, expectation, shown(text)))
                continue
            questions.append((words[0], words[1], words[2], words[3]))
            sections.append(section)
    _check_some(questions, path, "question")
    return questions, sections


def read_categories(path: str | Path, **reading: Unpack[TableReading]) -> tuple[list[str], list[str]]:
    """Words and their categories: a CSV with the columns category and word; returns ([n] words, [n] categories)."""
    rows = [fields for _, fields in BenchmarkFile(path, **reading).table(("word", "category"), ends=True)]
    _check_some(rows, path, "word")
    return [word for word, _ in rows], [category for _, category in rows]


def read_relations(path: str | Path, **reading: Unpack[TableReading]) -> dict[str, Relation]:
    """The relations of SemEval-2012 task 2 from a CSV of analogies prototype : prototype :: pair : pair.

    The columns are those of `read_analogies`; the pairs of a type stand in the order of their typicality, the most
    typical first. The typicality itself is not in the file, so that of n pairs has n for the first and 1 for the last.
    """
    prototypes: dict[str, dict[tuple[str, str], None]] = {}
    pairs: dict[str, dict[tuple[str, str], None]] = {}
    rows = BenchmarkFile(path, **reading).table(("type", "word1", "word2", "word3", "target"))
    for _, (name, *words) in rows:
        prototypes.setdefault(name, {})[words[0], words[1]] = None
        pairs.setdefault(name, {})[words[2], words[3]] = None
    _check_some(pairs, path, "question")
    return {
        name: Relation(list(prototypes[name]), list(ranked), list(range(len(ranked), 0, -1)))
        for name, ranked in pairs.items()
    }


def read_synonyms(path: str | Path, **reading: Unpack[TableReading]) -> list[tuple[str, ...]]:
    """Synonym questions, one a line between tabs: the word, its synonym, the wrong options."""
    questions, file = [], BenchmarkFile(path, **reading)
    for line, text in file.filled():
        question = tuple(field.strip() for field in text.split("\t"))
        with file.left_out:
            if len(question) < 3 or not all(question):
                raise file.wrong(line, "a word, its synonym and other options", shown(text))
            questions.append(question)
    _check_some(questions, path, "question")
    return questions


def read_outliers(*paths: str | Path, **reading: Unpack[TableReading]) -> list[tuple[list[str], list[str]]]:
    """Groups and their outliers, as in 8-8-8: words that belong together, an empty line, the outliers; a word a line.

    8-8-8 has a file a group; in a file with several, an empty line stands between them.
    """
    groups: list[tuple[list[str], list[str]]] = []
    left_out = LeftOut.of(reading.get("on_error", "stop"))
    for path in paths:
        file = BenchmarkFile(path, left_out, reading.get("encoding", "utf-8"))
        blocks: list[list[tuple[int, str]]] = [[]]
        for line, word in ((number, line.strip()) for number, line in file.lines()):
            if word:
                blocks[-1].append((line, word))
            elif blocks[-1]:
                blocks.append([])
        blocks = [block for block in blocks if block]
        for members, outliers in zip_longest(blocks[::2], blocks[1::2]):
            with left_out:
                if len(members) < 2 or not outliers:
                    expected = "words that belong together, an empty line, and outliers"
                    raise file.wrong(members[0][0], expected, shown(" ".join(word for _, word in members)))
                groups.append(([word for _, word in members], [word for _, word in outliers]))
        if not blocks:
            raise InputError(f"{path}: expected words that belong together, an empty line, and outliers, found none")
    _check_some(groups, ", ".join(map(str, paths)), "group of words with outliers")
    return groups


def _check_some(items: object, path: str | Path, what: str) -> None:
    if not items:
        raise InputError(f"{path}: expected at least one {what}, found none")
