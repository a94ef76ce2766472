"""Inputs of the concreteness stages: vectors, and the ratings of words that have one."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.systems.concreteness.ratings import rated_words, read_ratings, targets_of
from repline.vectors.formats import readers

DATA = Path("data")
MODELS = Path("data/models/concreteness")
SCRATCH = Path("data/scratch")


@dataclass(frozen=True)
class Rated:
    """n words in the order of the vectors: `rows` in them, `x` [n, d], target -> ratings [n] (NaN: none)."""

    words: list[str]
    rows: NDArray[np.int64]
    x: NDArray[np.float64]
    ratings: dict[str, NDArray[np.float64]]

    def chosen(self, most: int | None, seed: int) -> "Rated":
        """A random choice of `most` words, in order; all where there are no more."""
        if most is None or most >= len(self.words):
            return self
        return self._at(np.sort(np.random.default_rng(seed).permutation(len(self.words))[:most]))

    def without(self, words: Collection[str]) -> "Rated":
        """All but some words; InputError if none is left."""
        places = np.array([place for place, word in enumerate(self.words) if word not in words], np.int64)
        if not len(places):
            raise InputError("every rated word means the same as a test word; none is left to learn from")
        return self._at(places)

    def _at(self, places: NDArray[np.int64]) -> "Rated":
        ratings = {target: values[places] for target, values in self.ratings.items()}
        return Rated([self.words[place] for place in places], self.rows[places], self.x[places], ratings)


def vectors(place: str) -> tuple[list[str], NDArray]:
    """Words and vectors [V, d] of data/`place`, a memory map where the format allows one."""
    return readers.read(DATA / place)


def rated(place: str, words: list[str], matrix: NDArray) -> Rated:
    """The rated words of data/`place` that have a vector; InputError if there are none."""
    ratings = rated_words(read_ratings(DATA / place))
    rows = np.array([row for row, word in enumerate(words) if word in ratings], np.int64)
    if not len(rows):
        raise InputError(f"{DATA / place}: no rated word has a vector")
    found = [words[row] for row in rows]
    columns = {
        target: np.array([ratings[word].get(target, np.nan) for word in found])
        for target in targets_of(ratings[word] for word in found)
    }
    return Rated(found, rows, np.asarray(matrix[rows], np.float64), columns)
