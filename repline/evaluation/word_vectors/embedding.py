"""Words and their vectors, with the look-ups that the tests of word vectors need."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.algebra.unit_rows import unit_rows
from repline.errors import InputError, shown
from repline.lexicons.letter_case import without_case

ROWS = 8192  # of the matrix in memory at once, when a whole pass over it is needed


class Embedding:
    """A vocabulary with one vector a word, in the order of the file (by convention the most frequent word first).

    A word whose vector is all zeros counts as missing: the vector says nothing of it, and has no direction.

    Attributes:
        words: [V].
        matrix: [V, d] of any float type; may be memory-mapped, and is never copied whole.
        ignore_case: whether words that differ in case only are one word, whose vector is that of the first of them.
        forms: [V] of int, for each row the first row that is the same word (itself, unless `ignore_case` joins them).
    """

    def __init__(self, words: Sequence[str], matrix: NDArray, *, ignore_case: bool = True) -> None:
        """Index the words; InputError where there is none, or not one row a word."""
        if matrix.ndim != 2 or len(words) != len(matrix) or not len(words):
            raise InputError(
                f"expected one vector for each word, found {len(words)} words and an array of shape {matrix.shape}"
            )
        self.words, self.matrix, self.ignore_case = words, matrix, ignore_case
        self._rows: dict[str, int] = {}
        self.forms = np.fromiter(
            (self._rows.setdefault(self._form(word), row) for row, word in enumerate(words)), np.int64, len(words)
        )

    @classmethod
    def of(cls, keyed: Any, *, ignore_case: bool = True) -> "Embedding":
        """The embedding of gensim's `KeyedVectors`."""
        return cls(keyed.index_to_key, keyed.vectors, ignore_case=ignore_case)

    def with_matrix(self, matrix: NDArray) -> "Embedding":
        """Replace the vectors by [V, d'], one per word; the look-up of the words is shared.

        Raises:
            InputError: not one row a word.
        """
        if matrix.ndim != 2 or len(matrix) != len(self):
            raise InputError(
                f"expected one vector for each of {len(self)} words, found an array of shape {matrix.shape}"
            )
        embedding = copy(self)
        embedding.matrix = matrix
        for name in ("norms", "mean"):
            embedding.__dict__.pop(name, None)
        return embedding

    def __len__(self) -> int:
        return len(self.words)

    def rows(self, words: Iterable[str]) -> NDArray[np.int64]:
        """The row of each word, -1 where it is missing."""
        rows_of_words = np.array([self._rows.get(self._form(word), -1) for word in words], dtype=np.int64)
        return np.where((rows_of_words >= 0) & (self.norms[rows_of_words] > 0), rows_of_words, -1)

    def vectors(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """[n, d]: the vector of each row, and the mean of all vectors for -1."""
        vectors_of_rows = self.matrix[np.maximum(rows, 0)].astype(np.float64)
        vectors_of_rows[rows < 0] = self.mean
        return vectors_of_rows

    def directions(self, rows: NDArray[np.int64]) -> NDArray[np.floating]:
        """[n, d]: `vectors` at length one."""
        return unit_rows(self.vectors(rows))

    def cosines(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
        """[n]: the cosine of each row of `first` with the row of `second` next to it."""
        return np.einsum("nd,nd->n", self.directions(first), self.directions(second))

    @cached_property
    def norms(self) -> NDArray[np.float32]:
        """[V]: the length of every vector.

        Raises:
            InputError: a vector holds NaN or infinity; names its word.
        """
        norms = np.empty(len(self), dtype=np.float32)
        for start, block in self._blocks():
            # not in float16, whose sums end at 65,504
            wide = block.astype(np.promote_types(block.dtype, np.float32), copy=False)
            with np.errstate(over="ignore"):
                norms[start : start + len(block)] = np.linalg.norm(wide, axis=1)
        too_large = np.flatnonzero(~np.isfinite(norms))  # their squares, if not they themselves
        with np.errstate(over="ignore"):
            norms[too_large] = np.linalg.norm(np.asarray(self.matrix[too_large], np.float64), axis=1)
        wrong = np.flatnonzero(~np.isfinite(norms))
        if len(wrong):
            raise InputError(
                f"the vector of {shown(self.words[wrong[0]])} (row {wrong[0] + 1}) holds NaN or infinity, or is longer "
                "than a float32 can say"
            )
        return norms

    @cached_property
    def mean(self) -> NDArray[np.float64]:
        """[d]: the mean of all vectors."""
        return sum(block.sum(axis=0, dtype=np.float64) for _, block in self._blocks()) / len(self)

    def _blocks(self) -> Iterator[tuple[int, NDArray]]:
        for start in range(0, len(self), ROWS):
            yield start, np.asarray(self.matrix[start : start + ROWS])

    def _form(self, word: str) -> str:
        return without_case(word) if self.ignore_case else word


class TurkishEmbedding(Embedding):
    """Words whose capitals are those of Turkish: İ is the capital of i, and I that of ı."""

    def _form(self, word: str) -> str:
        return super()._form(_turkish_small(word) if self.ignore_case else word)


def _turkish_small(word: str) -> str:
    """The word with its capitals İ and I in small.

    >>> _turkish_small("İSTANBUL"), _turkish_small("ISPARTA")
    ('iSTANBUL', 'ıSPARTA')
    """
    return word.replace("I\u0307", "i").replace("İ", "i").replace("I", "ı")
