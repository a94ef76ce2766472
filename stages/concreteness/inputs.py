"""What the stages of concreteness read: their parameters, the vectors, and ratings of words that have a vector."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline import parameters
from repline.corpora.ratings import rated_words, read_ratings, targets_of
from repline.errors import InputError
from repline.models.rating_regression import support_vectors
from repline.training.rating_regression import train_networks
from repline.vectors import readers

DATA = Path("data")
MODELS = Path("data/models/concreteness")
SCRATCH = Path("data/scratch")
ELSEWHERE = ("taxonomy", "language", "lexicon")  # sub-sections that only the stage of that name reads


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of the rated words: at most `most` (None: all), judged by `methods`, once a seed."""

    most: int | None
    methods: list[str]
    seeds: list[int]


@dataclass(frozen=True, kw_only=True)
class Across:
    """Transfer into a second language; the fields are explained in params.yaml."""

    source: str
    most: int | None
    vectors: str
    ratings: str
    dictionary: str
    pairs: list[int]
    frequent: int
    search: int
    dropout: float


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The section `concreteness` of params.yaml; what only other stages read is left out."""

    vectors: str
    ratings: dict[str, str]  # name -> place in data/
    folds: int
    shuffles: int
    parts: dict[str, Part]
    svr: dict[str, Any]
    ffn: dict[str, Any]
    across: Across


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
        places = np.sort(np.random.default_rng(seed).permutation(len(self.words))[:most])
        ratings = {target: values[places] for target, values in self.ratings.items()}
        return Rated([self.words[place] for place in places], self.rows[places], self.x[places], ratings)


def read() -> Settings:
    """The section `concreteness`; InputError for a name, a type or a source of ratings that there is not."""
    section = dict(parameters.section(parameters.read(), "concreteness"))
    at = "concreteness"
    parameters.bind(support_vectors, section["svr"], f"{at}.svr", given=("standardise_ratings",))
    parameters.bind(train_networks, section["ffn"], f"{at}.ffn", given=("seed", "threads", "name"))
    parts = {name: Part(**parameters.bind(Part, part, f"{at}.parts.{name}")) for name, part in section["parts"].items()}
    across = Across(**parameters.bind(Across, section["across"], f"{at}.across"))
    places = {item["name"]: item["place"] for item in section["ratings"]}
    if across.source not in places:
        known = parameters.nearest(across.source, places)
        raise InputError(f"params.yaml: {at}.ratings has no {across.source!r}, which {at}.across.source names{known}")
    given = {"parts": parts, "across": across, "ratings": places}
    rest = {key: value for key, value in section.items() if key not in (*given, *ELSEWHERE)}
    return Settings(**parameters.bind(Settings, rest, at, given=tuple(given)), **given)


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
