"""Vectors as text: a line for each word, `word value ... value`, with a first line `V d` or without.

word2vec and fastText (.vec) write the first line, GloVe does not: d is then what most of the first lines agree on, so
that a first word with blanks or numbers in it does not pass for a vector. Values are separated by single spaces or any
other white space. What precedes the last d fields of a line is the word: `New York 12 0.1 0.2`. A number there that is
written as the values are (`king 0.7 0.1 0.2`) is refused: it may as well be a value too many.
"""

import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import numpy as np
import pyarrow as pa
from pyarrow import csv

from repline.errors import InputError, in_one_line, shown
from repline.reading.text_files import MARKS
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.vectors.formats.rows import DAMAGED, Duplicates, Rows, decode, opened

BLOCK_BYTES = 8 << 20
SAMPLE = 200  # lines that settle d
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Head(NamedTuple):
    """V (None where no first line says it) and d, the lines read ahead, and the number of the first of them."""

    promised: int | None
    dimensions: int
    lines: list[bytes]
    number: int


def read_text(
    path: str | Path,
    *,
    duplicates: Duplicates = "stop",
    limit: int | None = None,
    on_error: OnError | LeftOut = "stop",
) -> tuple[list[str], np.ndarray]:
    """Read vectors as text, packed or not, in blocks of lines.

    Args:
        path: of a file of word2vec, GloVe or fastText (.vec).
        duplicates: "stop" at a word that occurs again, or keep its "first" vector.
        limit: how many words to read at most.
        on_error: "stop" at a wrong line, or "salvage" the others.

    Returns:
        V words, and their vectors as float32 [V, d].

    Raises:
        InputError: a line has another number of values than the file has, a value is no finite number, a word is
            not UTF-8 or occurs again, or the number of words is not the stated one. Names line and word. With
            "salvage": nothing of the file can be read.
    """
    path, left_out = Path(path), LeftOut.of(on_error)
    with opened(path) as file:
        lines = _lines(file, path, left_out)
        count, dimensions, sample, number = _head(lines, path)
        rows = Rows(path, dimensions, duplicates, limit, left_out)
        end = None if count is None else count + 2  # the number of the line after the last one
        for block in _blocks(lines, sample):
            promised = block if end is None else block[: max(0, end - number)]
            words, matrix, numbers = _parse(promised, dimensions, path, number, left_out)
            rows.append(words, matrix, _location(numbers))
            number += len(promised)
            if rows.full:
                return rows.result()
            for _ in block[len(promised) :]:
                problem = f"the first line promises {count} words, but there are more; correct it"
                left_out.add(WrongRecord(path, f"line {number}", problem, "more words than the first line promises"))
                number += 1
    if end is not None and number < end:
        problem = (
            f"the first line promises {count} words, but the file ends after {number - 2}; "
            "it may be truncated: get it again, or correct the first line"
        )
        left_out.add(WrongRecord(path, f"line {number}", problem, "fewer words than the first line promises"))
    return rows.result()


def _location(numbers: Sequence[int]) -> Callable[[int], str]:
    """The place of a row, whose line has the number `numbers[row]`."""
    return lambda row: f"line {numbers[row]}"


def header(line: bytes) -> tuple[int, int] | None:
    """V and d, if the line is the first one of word2vec's formats."""
    fields = line.split()
    return (int(fields[0]), int(fields[1])) if len(fields) == 2 and all(map(bytes.isdigit, fields)) else None


def is_text_row(line: bytes, dimensions: int) -> bool:
    """Whether a line ends in `dimensions` numbers, after a word."""
    word, *values = line.rsplit(None, dimensions) or [b""]
    return bool(word) and len(values) == dimensions and all(map(_is_number, values))


def _head(lines: Iterator[bytes], path: Path) -> Head:
    """The head of a file whose first line is read; the error names line 1, where the others do not bear it out."""
    first = next(lines, b"").removeprefix(BYTE_ORDER_MARK)
    if not first.strip():
        raise InputError(f"{path}: the file is empty" if not first else f"{path}, line 1: the line is empty")
    stated = header(first)
    sample = list(islice(lines, SAMPLE))
    count, dimensions = stated or (None, _dimensions([first, *sample]))
    if dimensions < 1 or count == 0:
        raise InputError(
            f"{path}, line 1: expected vectors, found {shown(first[:60].decode('utf-8', 'replace').strip())}"
        )
    if count is None:
        return Head(None, dimensions, [first, *sample], 1)
    lengths = {_run(line) for line in sample}
    if len(sample) > 1 and len(lengths) == 1 and all(len(line.split()) <= dimensions for line in sample):
        length = lengths.pop()
        raise InputError(
            f"{path}, line 1: the first line promises {dimensions} values a word, but the words below it have {length}"
        )
    return Head(count, dimensions, sample, 2)


def _dimensions(lines: list[bytes]) -> int:
    """d of a file that does not say it: the number of values that most of its lines end in.

    Where two numbers are as frequent, the one with which every line can be read counts, or else the first line's.
    """
    runs = [_run(line) for line in lines]
    frequencies = Counter(run for run in runs if run)
    most = max(frequencies.values(), default=0)
    candidates = [run for run in frequencies if frequencies[run] == most]
    if len(candidates) < 2:
        return candidates[0] if candidates else 0
    readable = [run for run in candidates if all(_split(line, run) for line in lines)]
    return (readable or candidates)[0]


def _run(line: bytes) -> int:
    """How many numbers a line ends in, without its first field, which is a word whatever it is."""
    fields = line.split()
    length = 0
    for field in reversed(fields[1:]):
        if not _is_number(field):
            break
        length += 1
    return length


def _split(line: bytes, dimensions: int) -> tuple[bytes, list[bytes]] | None:
    """The word and the values of a line, or None where the line has too few, or the word ends like a value."""
    word, *values = line.rstrip(b" \r\n").rsplit(None, dimensions) or [b""]
    if len(values) != dimensions:
        return None
    tail = word.split()[1:]
    if tail and _is_number(tail[-1]):
        written = [number for number in (tail[-1], *values) if number.lstrip(b"+-").isdigit()]
        if len(written) == len(values) + 1 or not tail[-1].lstrip(b"+-").isalnum():  # as the values are, or a decimal
            return None
    return word, values


def _lines(file: BinaryIO, path: Path, left_out: LeftOut) -> Iterator[bytes]:
    """The lines of a file without blank ones at its end; a damaged one ends early where that is not refused."""
    number, encoding, held = 0, _encoding(cast(io.BufferedReader, file).peek(4)), list[bytes]()
    try:
        for line in file if encoding is None else _recoded(file, encoding):
            number += 1
            held.append(line)
            if line.strip(b" \t\r\n\x1a"):  # 0x1a: DOS ends a file with it
                yield from held
                held.clear()
    except UnicodeError as error:
        raise InputError(f"{path}, line {number + 1}: expected {encoding} text ({in_one_line(error)})") from None
    except DAMAGED as error:
        problem = f"the packed file is truncated or damaged ({in_one_line(error)}) after this line; get it again"
        left_out.add(WrongRecord(path, f"line {number}", problem, "the packed file is damaged"))


def _encoding(start: bytes) -> str | None:
    """What the lines of a file have to be recoded from: UTF-16 or UTF-32 with a mark, or line ends of CR alone."""
    mark = next((name for mark, name in MARKS if name != "utf-8" and start.startswith(mark)), None)
    return mark or ("utf-8" if b"\r" in start and b"\n" not in start else None)


def _recoded(file: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Lines as UTF-8 that end in LF; bytes that are not UTF-8 in a file that should be stay as they are."""
    errors = "surrogateescape" if encoding == "utf-8" else "strict"
    for line in io.TextIOWrapper(file, encoding, errors):
        yield line.removeprefix("\ufeff").encode("utf-8", errors)


def _blocks(lines: Iterator[bytes], block: list[bytes]) -> Iterator[list[bytes]]:
    """Blocks of lines; the first one is already read."""
    while block:
        yield block
        block, size = [], 0
        for line in lines:
            block.append(line)
            size += len(line)
            if size >= BLOCK_BYTES:
                break


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
            problem = f"word {shown(word)} has {len(values)} values, expected {columns}"
            raise WrongRecord(path, location, problem, "another number of values")
        block[i] = _numbers(values, word, location, path)
    return block


def _parse(
    lines: list[bytes], dimensions: int, path: Path, number: int, left_out: LeftOut
) -> tuple[list[str], np.ndarray, Sequence[int]]:
    """The words, vectors and line numbers of some lines; the first is line `number`."""
    parts = [line.rstrip(b" \r\n").partition(b" ") for line in lines]
    block = _parse_fast([values for _, _, values in parts], dimensions, b" ")
    if block is not None and (words := _decoded([word for word, _, _ in parts])) is not None:
        return words, block, range(number, number + len(lines))
    # a mistake, a word with spaces in it, or other white space
    words, numbers, block = [], [], np.empty((len(lines), dimensions), np.float32)
    for line_number, line in enumerate(lines, start=number):
        try:
            word, block[len(words)] = _parse_line(line, dimensions, path, f"line {line_number}")
        except WrongRecord as problem:
            left_out.add(problem)
            continue
        words.append(word)
        numbers.append(line_number)
    return words, block[: len(words)], numbers


def _parse_line(line: bytes, dimensions: int, path: Path, location: str) -> tuple[str, np.ndarray]:
    parts = _split(line, dimensions)
    if parts is None:
        length = _run(line)
        word = decode(b" ".join(line.split()[:-length] if length else line.split()), path, location)
        problem = f"word {shown(word)} has {length} values, expected {dimensions}"
        raise WrongRecord(path, location, problem, "another number of values")
    word = decode(parts[0], path, location)
    return word, _numbers(parts[1], word, location, path)


def _decoded(words: list[bytes]) -> list[str] | None:
    """The words as text, or None if one is empty or not UTF-8."""
    try:
        texts = [word.decode("utf-8") for word in words]
    except UnicodeDecodeError:
        return None
    return texts if all(texts) else None


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
            text = shown(value.decode("utf-8", "backslashreplace"))
            problem = f"value {column + 1} of {shown(word)} is {text}, expected a number"
            raise WrongRecord(path, location, problem, "a value is no number")
    with np.errstate(over="ignore"):
        return np.array([float(value) for value in values]).astype(np.float32)


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return b"_" not in field  # which Python reads as a number
