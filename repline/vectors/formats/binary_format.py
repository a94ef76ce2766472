"""Vectors as bytes: word2vec's binary format, and fastText's models (.bin) through gensim."""

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from repline.errors import InputError, in_one_line, shown
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.vectors.formats.rows import DAMAGED, Duplicates, Rows, decode, opened, read_intact
from repline.vectors.formats.text_format import header

BLOCK_BYTES = 8 << 20
LONGEST_WORD = 1 << 14  # bytes; fastText and word2vec cut words far below it
FASTTEXT = struct.pack("<i", 793712314)  # how every fastText model begins


def read_word2vec_binary(
    path: str | Path,
    *,
    duplicates: Duplicates = "stop",
    limit: int | None = None,
    on_error: OnError | LeftOut = "stop",
) -> tuple[list[str], np.ndarray]:
    """Read word2vec's binary format, packed or not, in blocks: `V d`, then `word`, a space and d float32 for each word.

    Args:
        path: of the file; a line break after each vector, as the original program writes it, is optional.
        duplicates: "stop" at a word that occurs again, or keep its "first" vector.
        limit: how many words to read at most.
        on_error: "stop" at a wrong word or vector, or "salvage" the others, and what precedes an early end.

    Returns:
        V words, and their vectors as float32 [V, d].

    Raises:
        InputError: the file ends early or goes on after the last word, a word is not UTF-8 or occurs again, or a value
            is not finite. Names the byte and the word.
    """
    path, left_out = Path(path), LeftOut.of(on_error)
    with opened(path) as file:
        first = file.readline(64)
        stated = header(first)
        if not stated or 0 in stated:
            raise InputError(
                f"{path}, byte 0: expected a line with the numbers of words and dimensions, found {shown(first)}"
            )
        count, dimensions = stated
        rows = Rows(path, dimensions, duplicates, limit, left_out)
        for words, block, offsets in _blocks(file, path, len(first), count, dimensions, left_out):
            rows.append(words, block, [f"byte {offset}" for offset in offsets].__getitem__)
            if rows.full:
                return rows.result()
        return rows.result()


def _blocks(
    file: BinaryIO, path: Path, offset: int, count: int, dimensions: int, left_out: LeftOut
) -> Iterator[tuple[list[str], np.ndarray, list[int]]]:
    """Words, vectors and the byte at which each word begins; `offset` is the byte that `file` is at."""
    size, read, buffer = 4 * dimensions, 0, b""
    while read < count:
        chunk = _read(file, max(BLOCK_BYTES, size), left_out)
        buffer += chunk
        words: list[str] = []
        starts: list[int] = []
        word_offsets: list[int] = []
        position = 0
        while read < count:
            start = position + (buffer[position : position + 1] == b"\n")
            space = buffer.find(b" ", start, start + LONGEST_WORD)
            if space < 0 and len(buffer) - start >= LONGEST_WORD:
                raise InputError(
                    f"{path}, byte {offset + start}: word {read + 1} of {count} does not end; the file is damaged, or "
                    f"its vectors do not have {dimensions} values"
                )
            if space < 0 or space + 1 + size > len(buffer):
                break
            try:
                words.append(decode(buffer[start:space], path, f"byte {offset + start}"))
                starts.append(space + 1)
                word_offsets.append(offset + start)
            except WrongRecord as wrong:
                left_out.add(wrong)
            position = space + 1 + size
            read += 1
        if words:
            block = np.empty((len(words), dimensions), np.float32)
            for i, start in enumerate(starts):
                block[i] = np.frombuffer(buffer, "<f4", dimensions, start)
            yield words, block, word_offsets
        if not chunk and read < count:
            word, blank, _ = buffer[position:].lstrip(b"\n").partition(b" ")
            inside = f" inside the vector of {shown(word.decode('utf-8', 'backslashreplace'))}" if blank else ""
            problem = (
                f"the file ends{inside} after {read} of the {count} words that its first line promises; get it again"
            )
            left_out.add(WrongRecord(path, f"byte {offset + len(buffer)}", problem, "the file ends early"))
            return
        offset, buffer = offset + position, buffer[position:]
    rest = (buffer + file.read(64)).strip()
    if rest:
        raise InputError(f"{path}, byte {offset}: there is more after the last of the {count} words: {shown(rest)}")


def _read(file: BinaryIO, size: int, left_out: LeftOut) -> bytes:
    """The next bytes; none where a packed file is damaged and that is not refused: the caller counts the early end."""
    try:
        return read_intact(file, size)
    except DAMAGED:
        if left_out.on_error == "stop":
            raise
        return b""


def read_fasttext_binary(
    path: str | Path, *, limit: int | None = None, on_error: OnError | LeftOut = "stop"
) -> tuple[list[str], np.ndarray]:
    """Read the words of a fastText model (.bin): each vector is the mean of those of the word and its n-grams.

    gensim reads the model; it holds the matrices of the words and of the n-grams in memory at once.

    Args:
        path: of an unsupervised model as Facebook's fastText writes it; not quantised (.ftz).
        limit: how many words to keep at most.
        on_error: "stop" at a vector that is not finite, or "salvage" the others.

    Returns:
        V words, and their vectors as float32 [V, d].

    Raises:
        InputError: the file is truncated, quantised or of a classifier, or a word is not UTF-8 or occurs again. Names
            the byte and the word.
    """
    from gensim.models.fasttext import load_facebook_vectors  # half a second of imports, for this format alone

    path = Path(path)
    _check_fasttext(path)
    try:
        vectors = load_facebook_vectors(str(path))
    except (ValueError, AssertionError, EOFError, OSError, NotImplementedError, struct.error) as error:
        raise InputError(f"{path}: gensim cannot read this fastText model ({in_one_line(error)})") from None
    rows = Rows(path, vectors.vector_size, "stop", limit, LeftOut.of(on_error))
    rows.append(vectors.index_to_key, vectors.vectors, lambda i: f"word {i + 1}")
    return rows.result()


def _check_fasttext(path: Path) -> None:
    """Checks that gensim leaves out: it hangs on a truncated vocabulary, and rewrites words that are not UTF-8."""
    with opened(path) as file:
        position = 0

        def unpack(layout: str) -> tuple:
            nonlocal position
            data = file.read(struct.calcsize(layout))
            position += len(data)
            if len(data) < struct.calcsize(layout):
                raise InputError(f"{path}, byte {position}: the file ends early; get it again")
            return struct.unpack(layout, data)

        unpack("<2i12id")  # magic, version, hyperparameters
        size, _, labels, _, pruned = unpack("<3i2q")
        if labels:
            raise InputError(f"{path}: this is a fastText classifier; expected a model of `skipgram` or `cbow`")
        seen: dict[str, int] = {}
        for row in range(size):
            word = bytearray()
            start = position
            while (byte := unpack("<c")[0]) != b"\0":
                word += byte
            text = decode(bytes(word), path, f"byte {start}")
            if seen.setdefault(text, row) != row:
                raise InputError(
                    f"{path}, byte {start}: word {shown(text)} is there twice, first as word {seen[text] + 1}"
                )
            unpack("<qb")
        unpack(f"<{2 * max(0, pruned)}i")
        if unpack("<?")[0]:
            raise InputError(f"{path}: this fastText model is quantised (.ftz); expected the full one (.bin)")
        rows, dimensions = unpack("<2q")
        with open(path, "rb") as raw:
            packed = not raw.read(8).startswith(FASTTEXT)
        matrix_end = position + 4 * rows * dimensions
        size = os.path.getsize(path)
        if not packed and size < matrix_end:
            raise InputError(
                f"{path}, byte {size}: the file ends inside its matrix of {rows} x {dimensions}, which reaches to "
                f"byte {matrix_end}; get it again"
            )
