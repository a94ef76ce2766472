"""Ratings of any word of a space: `repline.load(folder).rate(words)`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.lexicons.letter_case import as_listed
from repline.parameters import Json
from repline.systems.concreteness.saved_ratings import MAP, SPACE, SupportVectorArrays, read_regressors
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, one_or_all, texts_of
from repline.vectors.normalisation import unit_length
from repline.vectors.store import words_and_matrix


@dataclass(frozen=True)
class Rating:
    """The answer to one word.

    Attributes:
        ratings: by target (concreteness, imageability), in the unit of the ratings that were learned from; they can
            leave the range of these. The mean of training where the word has no vector.
        has_vector: whether the word has a vector.
    """

    ratings: dict[str, float]
    has_vector: bool


class WordRater:
    """Regressors with the words that they rate.

    Args:
        words: V of them.
        matrix: [V, d], their vectors.
        regressors: by target.
        ranges: of the ratings that were learned from, by target: lowest and highest.
        alignment: [d, d'] from these vectors into the space of the regressors, both at unit length; None: the vectors
            are of that space.
    """

    fields: ClassVar[tuple[str, ...]] = ("word",)
    optional_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        words: Sequence[str],
        matrix: NDArray,
        regressors: Mapping[str, SupportVectorArrays],
        ranges: Mapping[str, tuple[float, float]],
        alignment: NDArray | None = None,
    ):
        self.words, self.matrix, self.regressors, self.alignment = words, matrix, dict(regressors), alignment
        self.ranges = dict(ranges)
        forms = as_listed(words, {word.lower() for word in words})  # as `match_ratings` in any case finds them
        self.index = {form: row for row, form in enumerate(forms)}

    @overload  # a str is a sequence of str, too
    def rate(self, words: str, batch: int = 1024) -> Rating: ...  # type: ignore[overload-overlap]
    @overload
    def rate(self, words: Sequence[str], batch: int = 1024) -> list[Rating]: ...
    def rate(self, words: str | Sequence[str], batch: int = 1024) -> Rating | list[Rating]:
        """The ratings of a word, or of each of a list of words.

        Args:
            words: of any number; a word that has no vector as it is spelled is looked up without regard to capitals.
            batch: words that are in memory as numbers at a time.

        Raises:
            InputError: `words` is neither a word nor a list of words.
        """
        ratings: list[Rating] = []
        for part in in_batches(texts_of(words, "rate"), batch):
            ratings += self._rated(part)
        return one_or_all(words, ratings)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The ratings of each row's word."""
        return [asdict(rating) for rating in self.rate([row["word"] for row in rows])]

    def _rated(self, words: Sequence[str]) -> list[Rating]:
        spelled = [word.strip() for word in words]
        rows = np.array([self.index.get(word, self.index.get(word.lower(), -1)) for word in spelled], dtype=np.int64)
        has_vector = rows >= 0
        x = np.asarray(self.matrix[rows[has_vector]], np.float64)
        if self.alignment is not None:
            x = unit_length(x) @ self.alignment
        columns = {}
        for target, regressor in self.regressors.items():
            columns[target] = np.full(len(words), regressor.rating_mean)
            columns[target][has_vector] = regressor.predict(x)
        return [
            Rating({target: float(values[row]) for target, values in columns.items()}, bool(has_vector[row]))
            for row in range(len(words))
        ]


def load(description: Description) -> WordRater:
    """The ratings of a folder; InputError where it is damaged."""
    values, path = description.raw_input, description.folder / RAW_INPUT
    targets, lowest, highest = (values.get(key) for key in ("targets", "lowest", "highest"))
    if not isinstance(targets, list) or not isinstance(lowest, dict) or not isinstance(highest, dict):
        raise InputError(f"{path}: expected targets and the range of each; train the model again")
    regressors, arrays = read_regressors(description.folder, targets)
    if description.kind == "aligned_ratings" and MAP not in arrays:
        raise InputError(f"{path}: there is no map into the language of the ratings; copy the folder again")
    words, matrix = words_and_matrix(description.folder / SPACE)
    ranges = {target: (lowest[target], highest[target]) for target in targets}
    return WordRater(words, matrix, regressors, ranges, arrays.get(MAP))
