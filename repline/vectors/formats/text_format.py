"""Vectors as text: a line for each word, `word value ... value`, with a first line `V d` or without.

word2vec and fastText (.vec) write the first line, GloVe does not. Values are separated by single spaces or any other
white space; a word may itself contain spaces when the number of values is known from an earlier line.
"""

import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
from pyarrow import csv

from repline.errors import InputError
from repline.vectors.formats.rows import Duplicates, Rows, decode, opened

BLOCK_BYTES = 8 << 20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_text(
    path: str | Path, *, duplicates: Duplicates = "stop", limit: int | None = None
) -> tuple[list[str], np.ndarray]:
    """Read vectors as text, packed or not, in blocks of lines.

    Args:
        path: of a file of word2vec, GloVe or fastText (.vec).
        duplicates: "stop" at a word that occurs again, or keep its "first" vector.
        limit: how many words to read at most.

    Returns:
        V words, and their vectors as float32 [V, d].

    Raises:
        InputError: a line has another number of values than the first one says, a value is no finite number, a word is
            not UTF-8 or occurs again, or the number of words is not the stated one. Names line and word.
    """
    path = Path(path)
    with opened(path) as file:
        first = file.readline().removeprefix(BYTE_ORDER_MARK)
        stated = header(first)
        if stated:
            count, dimensions = stated
            lines: list[bytes] = []
        else:
            count, dimensions, lines = None, len(first.split()) - 1, [first]
        if not first.strip():
            raise InputError(f"{path}: the file is empty" if not first else f"{path}, line 1: the line is empty")
        if dimensions < 1 or count == 0:
            raise InputError(
                f"{path}, line 1: expected vectors, found {first[:60].decode('utf-8', 'replace').strip()!r}"
            )
        rows = Rows(path, dimensions, duplicates, limit)
        number = 1 if lines else 2  # of the next line
        for block in _blocks(file, lines):
            words, matrix = _parse(block if count is None else block[: count + 2 - number], dimensions, path, number)
            rows.append(words, matrix, partial(_line, number))
            number += len(words)
            if rows.full:
                return rows.result()
            if len(words) < len(block):
                raise InputError(
                    f"{path}, line {number}: the first line promises {count} words, but there are more; correct it"
                )
    if count is not None and number != count + 2:
        raise InputError(
            f"{path}, line {number}: the first line promises {count} words, but the file ends after {number - 2}; "
            "it may be truncated: get it again, or correct the first line"
        )
    return rows.result()


def _line(first: int, row: int) -> str:
    """The line of row `row` of a block, whose first row is line `first`."""
    return f"line {first + row}"


def header(line: bytes) -> tuple[int, int] | None:
    """V and d, if the line is the first one of word2vec's formats."""
    fields = line.split()
    return (int(fields[0]), int(fields[1])) if len(fields) == 2 and all(map(bytes.isdigit, fields)) else None


def _blocks(file: BinaryIO, lines: list[bytes]) -> Iterator[list[bytes]]:
    while lines := lines + file.readlines(BLOCK_BYTES):
        yield lines
        lines = []


def parse_values(
    texts: list[bytes], columns: int, delimiter: bytes, words: list[str], locations: list[str], path: Path
) -> np.ndarray:
    """Numbers as text to numbers.

    Args:
        texts: for each word, its values with `delimiter` between them.
        columns: how many values each word should have.
        words, locations, path: for messages; `locations` says where each word lies ("line 3").

    Returns:
        float32 [number of words, columns]; a value beyond float32 is infinite.

    Raises:
        InputError: a word has another number of values, or one that is no number.
    """
    block = _parse_fast(texts, columns, delimiter)
    if block is not None:
        return block
    block = np.empty((len(texts), columns), np.float32)
    for i, (text, word, location) in enumerate(zip(texts, words, locations, strict=True)):
        values = text.split(None if delimiter == b" " else delimiter)
        if len(values) != columns:
            raise InputError(f"{path}, {location}: word {word!r} has {len(values)} values, expected {columns}")
        block[i] = _numbers(values, word, location, path)
    return block


def _parse(lines: list[bytes], dimensions: int, path: Path, number: int) -> tuple[list[str], np.ndarray]:
    """The words and vectors of some lines, the first of which is line `number`."""
    parts = [line.rstrip(b" \r\n").partition(b" ") for line in lines]
    block = _parse_fast([values for _, _, values in parts], dimensions, b" ")
    if block is not None:
        return [decode(word, path, f"line {number + i}") for i, (word, _, _) in enumerate(parts)], block
    # a mistake, a word with spaces in it, or other white space
    words, block = [], np.empty((len(lines), dimensions), np.float32)
    for i, line in enumerate(lines):
        location = f"line {number + i}"
        word, *values = line.rstrip(b" \r\n").rsplit(None, dimensions) or [b""]
        text = decode(word, path, location)
        tail = word.split()[1:]
        if len(values) != dimensions or (tail and _is_number(tail[-1])):
            count = len(line.split()) - 1
            raise InputError(f"{path}, {location}: word {text.split()[0]!r} has {count} values, expected {dimensions}")
        block[i] = _numbers(values, text, location, path)
        words.append(text)
    return words, block


def _parse_fast(texts: list[bytes], columns: int, delimiter: bytes) -> np.ndarray | None:
    """[number of texts, columns], or None if a text does not have `columns` numbers with single delimiters."""
    names = [f"{column}" for column in range(columns)]
    try:
        table = csv.read_csv(
            io.BytesIO(b"\n".join(texts)),
            read_options=csv.ReadOptions(column_names=names, use_threads=False),
            parse_options=csv.ParseOptions(delimiter=delimiter.decode(), quote_char=False, ignore_empty_lines=False),
            convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names, pa.float32()), null_values=[]),
        )
    except pa.ArrowInvalid:
        return None
    if len(table) != len(texts):
        return None
    block = np.empty((len(texts), columns), np.float32)
    for column, values in enumerate(table.itercolumns()):
        block[:, column] = values.to_numpy()
    return block


def _numbers(values: list[bytes], word: str, location: str, path: Path) -> np.ndarray:
    for column, value in enumerate(values):
        if not _is_number(value):
            shown = value.decode("utf-8", "backslashreplace")
            raise InputError(f"{path}, {location}: value {column + 1} of {word!r} is {shown!r}, expected a number")
    with np.errstate(over="ignore"):
        return np.array([float(value) for value in values]).astype(np.float32)


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
