"""Vectors of words, `vector(word)` and `most_similar(word)`: of a folder, or composed by a system."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from repline.errors import InputError, shown
from repline.parameters import Json
from repline.reading.text_cleaning import clean_text
from repline.use.folders import Description, describe
from repline.use.inputs import text_of, texts_of, whole_number
from repline.vectors import store

WORD_VECTORS = "word_vectors"  # the kind of a folder of vectors
MAX_COSINES = 1 << 24  # cosines in memory at a time
ROUNDING = 1e-5  # what cosines of a product in float32 may differ by, as by the number of its rows
DIGITS = 12  # of a cosine in float64, which decide on the order of words


class Neighbour(NamedTuple):
    """A word and the cosine of its vector with the one that was asked for."""

    word: str
    cosine: float


class WordVectors:
    """The vectors of V words, and of further words where a child composes them.

    Args:
        words: V different ones.
        matrix: float32 [V, d].

    Attributes:
        dimensions: d, of a vector.
    """

    fields: ClassVar[tuple[str, ...]] = ("word",)
    optional_fields: ClassVar[tuple[str, ...]] = ()
    neighbours = 5  # in an answer of the command

    def __init__(self, words: Sequence[str], matrix: np.ndarray):
        self.words, self.matrix = list(words), matrix
        self.index = {word: row for row, word in enumerate(self.words)}
        self.dimensions = int(matrix.shape[1])
        self._unit: np.ndarray | None = None

    @classmethod
    def read(cls, folder: str | Path) -> "WordVectors":
        """The vectors of a folder that `repline.vectors.store.save` wrote, mapped into memory."""
        return cls(*store.words_and_matrix(folder))

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.composed(clean_text(word)) is not None

    def composed(self, word: str) -> np.ndarray | None:
        """The vector [d] of a word, None where it has none; a child that composes vectors does so here."""
        row = self.index.get(self.spelled(word))
        return None if row is None else np.asarray(self.matrix[row])

    def spelled(self, word: str) -> str:
        """A word as `words` spell it: as it is, where it has no vector without blanks around it, then in lower case."""
        if word in self.index or (bare := word.strip()) in self.index:
            return word if word in self.index else bare
        return bare.lower()

    def vector(self, word: str) -> np.ndarray:
        """The vector of a word, float32 [d].

        Raises:
            InputError: it has none, or `word` is no str.
        """
        composed = self.composed(text_of(word, "vector", "word"))
        if composed is None:
            raise InputError(
                f"{shown(word)} has no vector here; of {len(self.words):,} words the first is {shown(self.words[0])}"
            )
        return composed

    def similarity(self, first: str, second: str) -> float:
        """The cosine of the vectors of two words, 0 where one of them is zero; InputError as of `vector`."""
        a, b = (self.vector(word).astype(np.float64) for word in (first, second))
        norms = np.linalg.norm(a) * np.linalg.norm(b)
        return float(np.clip(a @ b / norms, -1, 1)) if norms > 0 else 0.0

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The vectors of words, float32 [n, d]; zero for a word that has none."""
        zero = np.zeros(self.dimensions, np.float32)
        rows = [vector if (vector := self.composed(word)) is not None else zero for word in texts_of(words, "vectors")]
        return np.array(rows, dtype=np.float32).reshape(-1, self.dimensions)

    def most_similar(self, word: str | np.ndarray, n: int = 10) -> list[Neighbour]:
        """The n words of highest cosine with a word, itself left out, or with a vector [d]."""
        n = whole_number(n, "n", 0)
        if not isinstance(word, str | np.ndarray):
            raise InputError(
                'most_similar takes a word or a vector: most_similar("word"); '
                f"found a value of type {type(word).__name__}"
            )
        if isinstance(word, np.ndarray) and word.dtype.kind not in "iuf":
            raise InputError(f"most_similar takes a word or a vector of numbers; found an array of {word.dtype}")
        vector = self.vector(word) if isinstance(word, str) else np.asarray(word, dtype=np.float32)
        if vector.shape != (self.dimensions,):
            raise InputError(
                f"most_similar takes a word or a vector [{self.dimensions}]; found one of shape {vector.shape}"
            )
        if not np.isfinite(vector).all():
            raise InputError("most_similar takes a vector of finite numbers; found NaN or infinity in it")
        asked_word = self.spelled(clean_text(word)) if isinstance(word, str) else None
        (neighbours,) = self.nearest(vector[None], n + 1)
        return [neighbour for neighbour in neighbours if neighbour.word != asked_word][:n]

    def nearest(self, vectors: np.ndarray, n: int, among: np.ndarray | None = None) -> list[list[Neighbour]]:
        """The n words of highest cosine with each vector, the nearest first, and of equal ones the first of `words`.

        The answer for a vector does not depend on the others.

        Args:
            vectors: [B, d].
            n: how many words.
            among: rows of the words that count; None for all.
        """
        n = whole_number(n, "n", 0)
        matrix = self.unit_matrix() if among is None else self.unit_matrix()[among]
        size = max(1, MAX_COSINES // max(len(matrix), 1))
        answers: list[list[Neighbour]] = []
        for start in range(0, len(vectors), size):
            block = np.asarray(vectors[start : start + size], dtype=np.float32)
            lengths = np.maximum(np.linalg.norm(block, axis=1, keepdims=True), 1e-12)
            cosines = (block / lengths) @ matrix.T  # [size, V]
            for unit, values in zip(block / lengths, cosines, strict=True):
                # to a vector of zeros all words are equally near, and need not be looked at
                candidates = _candidates(values, n) if unit.any() else np.arange(min(n, len(values)))
                exact = np.round(matrix[candidates].astype(np.float64) @ unit.astype(np.float64), DIGITS)
                order = np.argsort(-exact, kind="stable")[:n]
                columns = candidates[order]
                words = [self.words[row] for row in (columns if among is None else among[columns])]
                answers.append(list(map(Neighbour, words, exact[order].tolist())))
        return answers

    def unit_matrix(self) -> np.ndarray:
        """The vectors at unit length, float32 [V, d], computed once; a vector of zeros stays one."""
        if self._unit is None:
            norms = np.linalg.norm(self.matrix, axis=1, keepdims=True)
            self._unit = np.asarray(self.matrix / np.maximum(norms, 1e-12), dtype=np.float32)
        return self._unit

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The vector of each row's word with the nearest words; null where it has none, and `known` is false."""
        words = texts_of([row["word"] for row in rows], "predict")
        vectors = {word: vector for word in words if (vector := self.composed(word)) is not None}
        near: dict[str, list[Neighbour]] = {}
        if vectors:
            near = dict(zip(vectors, self.nearest(np.stack(list(vectors.values())), self.neighbours + 1), strict=True))
        return [self._answer(word, vectors.get(word), near.get(word, [])) for word in words]

    def _answer(self, word: str, vector: np.ndarray | None, near: Sequence[Neighbour]) -> dict[str, Json]:
        if vector is None:
            return {"known": False, "vector": None, "most_similar": None}
        neighbours = [neighbour for neighbour in near if neighbour.word != self.spelled(word)][: self.neighbours]
        return {
            "known": True,
            "vector": [float(f"{value:.6g}") for value in vector],
            "most_similar": rounded(neighbours),
        }


def rounded(neighbours: Sequence[Neighbour]) -> list[list[Any]]:
    """Words with their cosines to four digits, as an answer of the command holds them."""
    return [[neighbour.word, round(neighbour.cosine, 4)] for neighbour in neighbours]


def _candidates(values: np.ndarray, n: int) -> np.ndarray:
    """The indices, in their order, of all values that may be among the n largest, were they not rounded."""
    if n >= len(values):
        return np.arange(len(values))
    return np.flatnonzero(values >= np.partition(values, -n)[-n] - ROUNDING) if n else np.arange(0)


class NormalisedWordVectors(WordVectors):
    """Word vectors whose words are in lower case, with something in place of the blanks of words of several parts.

    Args:
        words: V different ones.
        matrix: float32 [V, d].
        blank: what stands for a blank in words of several parts, as "_" in "hot_dog"; None where a blank stays.
    """

    def __init__(self, words: Sequence[str], matrix: np.ndarray, blank: str | None = None):
        super().__init__(words, matrix)
        self.blank = blank

    def spelled(self, word: str) -> str:
        """The word as of `WordVectors`, else with `blank` for its blanks."""
        spelled = super().spelled(word)
        return spelled if spelled in self.index or self.blank is None else self.blank.join(spelled.split())


def describe_vectors(folder: str | Path, system: str, *, blank: str | None = None) -> None:
    """Write into a folder of vectors that `load_vectors` reads it; vectors, words and card stay as they are.

    Args:
        folder: a folder that `repline.vectors.store.save` wrote.
        system: the system that trained it.
        blank: what stands for a blank, as in `NormalisedWordVectors`.
    """
    describe(folder, system, WORD_VECTORS, {"blank": blank})


def load_vectors(description: Description) -> NormalisedWordVectors:
    """The vectors of a folder that `describe_vectors` describes.

    Raises:
        InputError: the folder is of another kind, or a file of it is missing or damaged.
    """
    if description.kind != WORD_VECTORS:
        raise InputError(
            f"{description.folder}: expected {WORD_VECTORS}, found a model of kind {shown(description.kind)}"
        )
    return NormalisedWordVectors(*store.words_and_matrix(description.folder), description.raw_input.get("blank"))
