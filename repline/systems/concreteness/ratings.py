"""Ratings of words by people: concreteness and imageability, their means and standard deviations."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.errors import InputError, in_one_line, shown
from repline.reading.table_fields import finite_number, table_fields
from repline.reading.table_heads import AGAIN
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.systems.concreteness.plain_pickle import read_plain_pickle

TARGETS = ("concreteness", "concreteness_sd", "imageability", "imageability_sd")
RATINGS = pa.schema([("word", pa.string()), *((target, pa.float64()) for target in TARGETS)])
FILE = "ratings.parquet"

_COLUMNS = {
    "word": ("word", "words", "conc.word"),
    "concreteness": ("conc.m", "concreteness", "concreteness.mean", "concreteness_mean", "cnc", "c.m"),
    "concreteness_sd": ("conc.sd", "concreteness.sd", "concreteness_sd", "concreteness_std", "c.std"),
    "imageability": ("img.m", "imageability", "imageability.mean", "imageability_mean", "img", "i.m"),
    "imageability_sd": ("img.sd", "imageability.sd", "imageability_sd", "imageability_std", "i.std"),
}
_MISSING = ("", "na", "nan", "#n/a")


def read_ratings(path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> pa.Table:
    """Read ratings in any of the published file formats.

    Args:
        path: a Parquet file with the schema RATINGS; a text with a header line, separated by tabs, commas or
            semicolons, plain or `.gz`, whose columns are named as Brysbaert et al. (2014) name theirs (`Word`,
            `Conc.M`, `Conc.SD`) or plainly (`word`, `concreteness`, `imageability`, ... `_sd`); the MRC database as
            the pickle of wonderlic-nlp; or a folder with one such file.
        on_error: at a wrong line of a text; or an account of wrong ones, which the caller reads later.
        encoding: of a text without a byte order mark.

    Returns:
        a table with the schema RATINGS, in the order of the file, words as they are spelled there; null where a
        target is not rated.

    Raises:
        InputError: nothing of these is there, or a line is malformed.
    """
    path = Path(path)
    if path.is_dir():
        path = path / FILE if (path / FILE).exists() else _only_file(path)
    if path.suffix == ".pickle":
        return read_mrc(path)
    return _parquet(path) if path.suffix == ".parquet" else _text(path, LeftOut.of(on_error), encoding)


def read_mrc(path: str | Path) -> pa.Table:
    """The words of the MRC database with a concreteness and an imageability (100 to 700), once each, in lower case.

    Args:
        path: the pickle of wonderlic-nlp, `{(WORD, part of speech): {"CNC", "IMG", ...}}`; no pickle is executed.

    Returns:
        a table with the schema RATINGS.

    Raises:
        InputError: the file is not of this form, or a word has two different ratings.

    Source: Wilson 1988.
    """
    entries = read_plain_pickle(path)
    if not isinstance(entries, dict):
        raise InputError(f"{path}: expected a dictionary of words, found {type(entries).__name__}")
    pairs: dict[str, tuple[float, float]] = {}
    for key, fields in entries.items():
        if not isinstance(key, tuple) or not isinstance(fields, dict):
            raise InputError(f"{path}: expected (word, part of speech) and fields, found {shown(key)}")
        concreteness, imageability = fields.get("CNC"), fields.get("IMG")
        if not concreteness or not imageability:  # 0 and None both say without ratings it
            continue
        word, values = str(key[0]).lower(), (concreteness, imageability)
        if pairs.setdefault(word, values) != values:
            raise InputError(f"{path}: expected one rating of {shown(word)}, found {pairs[word]} and {values}")
    return ratings_table(
        {word: dict(zip(("concreteness", "imageability"), pair, strict=True)) for word, pair in pairs.items()}
    )


def ratings_table(ratings: Mapping[str, Mapping[str, float]]) -> pa.Table:
    """A table with the schema RATINGS of word -> target -> value; InputError if there is no word."""
    if not ratings:
        raise InputError("expected rated words, found none")
    columns = [[values.get(target) for values in ratings.values()] for target in TARGETS]
    return pa.table([list(ratings), *columns], schema=RATINGS)


def rated_words(table: pa.Table) -> dict[str, dict[str, float]]:
    """The single words of a table in lower case; of a word that is there several times, the mean of each target.

    Returns:
        word -> target -> value, in the order of the table, without missing values.
    """
    collected: dict[str, dict[str, list[float]]] = {}
    for row in table.to_pylist():
        word = row.pop("word").strip().lower()
        if word and not any(map(str.isspace, word)):
            into = collected.setdefault(word, {})
            for target, value in row.items():
                if value is not None:
                    into.setdefault(target, []).append(value)
    return {
        word: {target: float(np.mean(values)) for target, values in targets.items()}
        for word, targets in collected.items()
        if targets
    }


def targets_of(ratings: Iterable[Mapping[str, float]]) -> list[str]:
    """Which of TARGETS are rated at all."""
    present = {target for values in ratings for target in values}
    return [target for target in TARGETS if target in present]


def _parquet(path: Path) -> pa.Table:
    try:
        table = pq.read_table(path, schema=RATINGS)
        table.validate(full=True)
        return table
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            f"{path}: expected a Parquet table of {', '.join(RATINGS.names)} ({in_one_line(error)})"
        ) from None


def _text(path: Path, left_out: LeftOut, encoding: str) -> pa.Table:
    lines = visible_lines(path, encoding, left_out)
    first = next(lines, (0, ""))[1]
    separator = max("\t,;", key=first.count)
    header = table_fields(first, separator)
    columns = _columns(header, path)
    rows: list[list[Any]] = []
    for number, line in lines:
        if line.strip():
            with left_out:
                if line == first:
                    raise WrongRecord(path, f"line {number}", AGAIN, "the head again")
                rows.append(_row(table_fields(line, separator), len(header), columns, path, number))
    if not rows:
        raise InputError(f"{path}: expected rated words, found none")
    return pa.table([list(column) for column in zip(*rows, strict=True)], schema=RATINGS)


def _columns(header: Sequence[str], path: Path) -> dict[str, int]:
    names = [name.strip().lower() for name in header]
    columns = {
        column: names.index(alias) for column, aliases in _COLUMNS.items() for alias in aliases[::-1] if alias in names
    }
    if "word" not in columns or len(columns) < 2:
        raise InputError(
            f"{path}, line 1: expected a header with a column `word` and at least one of {', '.join(TARGETS)} "
            f"(or Word, Conc.M, Conc.SD), found {shown(', '.join(header)) if header else 'nothing'}"
        )
    return columns


def _row(fields: Sequence[str], width: int, columns: Mapping[str, int], path: Path, number: int) -> list[Any]:
    where = f"line {number}"
    if len(fields) <= max(columns.values()):
        problem = f"expected at least {max(columns.values()) + 1} columns, found {len(fields)}"
        raise WrongRecord(path, where, problem, "too few columns")
    if len(fields) > width:
        raise WrongRecord(
            path, where, f"expected {width} columns as in the header, found {len(fields)}", "more columns"
        )
    word = fields[columns["word"]].strip()
    if not word:
        raise WrongRecord(path, where, "there is no word")
    values: list[Any] = [word]
    for target in TARGETS:
        text = fields[columns[target]].strip() if target in columns else ""
        try:
            value = None if text.lower() in _MISSING else finite_number(text)
        except ValueError:
            problem = f"expected a number as {target} of {shown(word)}, found {shown(text)}"
            raise WrongRecord(path, where, problem, f"no number as {target}") from None
        values.append(value)
    return values


def _only_file(folder: Path) -> Path:
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name != "card.json"]
    if len(files) != 1:
        raise InputError(f"{folder}: expected one file of ratings, found {len(files)}")
    return files[0]
