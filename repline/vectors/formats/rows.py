"""Collect the words and vectors of a file into one matrix."""

import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

import numpy as np

from repline.errors import InputError, in_one_line, shown
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import open_unpacked
from repline.reading.wrong_records import LeftOut, WrongRecord

Duplicates = Literal["stop", "first"]
DAMAGED = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)  # what reading a broken packed file raises


class Rows:
    """A growing matrix with a word for each row; its memory is that of the matrix and the words.

    Words stand there as `clean_text` gives them. One of which nothing is left is passed over, and so is the later one
    of two that become the same.

    Args:
        path: of the file, the beginning of every message.
        dimensions: d, of each vector.
        duplicates: what to do with a word that was there before: "stop", or keep its "first" vector.
        limit: how many words are wanted at most; None for all.
        left_out: takes words whose vector is not finite, and those that were there before; an error if None.
    """

    def __init__(
        self, path: Path, dimensions: int, duplicates: Duplicates, limit: int | None, left_out: LeftOut | None = None
    ) -> None:
        self.path, self.duplicates, self.limit, self.left_out = path, duplicates, limit, left_out or LeftOut()
        self.row_of: dict[str, int] = {}
        self.cleaned: set[str] = set()  # words that `clean_text` changed
        self.passed_over = 0
        self.matrix = np.empty((0, dimensions), np.float32)

    @property
    def full(self) -> bool:
        """Whether there are as many words as `limit` allows."""
        return self.limit is not None and len(self.row_of) >= self.limit

    def append(self, words: Sequence[str], block: np.ndarray, location_of: Callable[[int], str]) -> None:
        """Add the words of a block and their vectors [n, d]; `location_of(i)` says where word i lies ("line 12")."""
        max_words = len(words) if self.limit is None else min(len(words), self.limit - len(self.row_of))
        finite = np.isfinite(block).all(axis=1)
        before = len(self.row_of)
        kept_rows: list[int] = []
        for i, word in enumerate(words):
            if len(kept_rows) == max_words:
                break
            if not finite[i]:
                column = int(np.isfinite(block[i]).argmin())
                problem = f"value {column + 1} of {shown(word)} is {block[i, column]}, expected a finite float32"
                self.left_out.add(WrongRecord(self.path, location_of(i), problem, "a value is not finite"))
                continue
            visible = clean_text(word, self.left_out.invisible)
            if visible != word and self._passes_over(visible):
                continue
            row = self.row_of.setdefault(visible, before + len(kept_rows))
            if row == before + len(kept_rows):
                kept_rows.append(i)
            elif visible in self.cleaned:
                self._passes_over(visible)
            elif self.duplicates == "stop":
                problem = f"word {shown(word)} is there twice, first as word {row + 1}; "
                problem += "remove one of the two, or keep the first: `repline vectors convert --first-of-repeated`, "
                problem += "`repline evaluate vectors --duplicates first`, in Python duplicates='first'"
                self.left_out.add(WrongRecord(self.path, location_of(i), problem, "a word is there twice"))
        # realloc moves no pages of a large block, and nothing else holds this array
        self.matrix.resize((before + len(kept_rows), self.matrix.shape[1]), refcheck=False)
        self.matrix[before:] = block if len(kept_rows) == len(block) else block[kept_rows]

    def _passes_over(self, visible: str) -> bool:
        """Whether a word that is this when cleaned is passed over, as it is empty or there already."""
        if visible and visible not in self.row_of:
            self.cleaned.add(visible)
            return False
        self.left_out.pass_over(
            "words that differ from others in invisible characters or forms of Unicode alone, or that are nothing else"
        )
        self.passed_over += 1
        return True

    def result(self) -> tuple[list[str], np.ndarray]:
        """The words and their vectors; InputError if there are none."""
        if not self.row_of:
            raise InputError(f"{self.path}: expected vectors, found none")
        return list(self.row_of), self.matrix


class _Unpacked(io.RawIOBase):
    """A packed file whose bytes before a damage are read: Python's own readers drop up to a buffer of them."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self.file.read1(len(buffer))
        except OSError as error:
            if error.errno:
                raise
            raise EOFError(str(error)) from None
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if it is gzip, bzip2, xz or Zstandard; InputError if it is absent or ends early."""
    try:
        with open_unpacked(path) as file:
            is_plain = isinstance(file, io.BufferedReader)
            yield cast(BinaryIO, file if is_plain else io.BufferedReader(_Unpacked(file), 1 << 20))
    except DAMAGED as error:
        raise InputError(
            f"{path}: the packed file is truncated or damaged ({in_one_line(error)}); get it again"
        ) from None


def read_intact(file: BinaryIO, size: int) -> bytes:
    """The next `size` bytes of a file of `opened`; fewer at its end, or where the packed file is damaged."""
    parts: list[bytes] = []
    try:
        while size > 0 and (part := cast(io.BufferedReader, file).read1(size)):
            parts.append(part)
            size -= len(part)
    except DAMAGED:
        if not parts:
            raise
    return b"".join(parts)


def decode(word: bytes, path: Path, location: str) -> str:
    """A word as text; WrongRecord if it is empty or not UTF-8."""
    try:
        text = word.decode("utf-8")
    except UnicodeDecodeError as error:
        start = word[:60].decode("utf-8", "backslashreplace")
        problem = f"word '{start}' is not UTF-8 ({error.reason} at its byte {error.start})"
        raise WrongRecord(path, location, problem, "a word is not UTF-8") from None
    if not text:
        raise WrongRecord(path, location, "expected a word, found none")
    return text
