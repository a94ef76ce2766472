"""A folder that rates any word of a space: regressors as arrays, word vectors, and the map of another language.

The regressors predict without scikit-learn, and no file is a pickle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from repline.errors import InputError, in_one_line
from repline.files import link_or_copy
from repline.systems.concreteness.rated_words import RatedWords
from repline.use.folders import describe
from repline.vectors import store
from repline.vectors.store import VECTORS, VOCABULARY

if TYPE_CHECKING:
    from sklearn.compose import TransformedTargetRegressor

ARRAYS = "regressors.safetensors"
SPACE = "space"  # the folder of word vectors inside
MAP = "map"
BLOCK = 1024  # words whose kernel values are in memory at a time


@dataclass(frozen=True)
class SupportVectorArrays:
    """One regressor: r(x) = [sum_i a_i exp(-gamma |z - s_i|^2) + b] t + u, with z = (x - m) / s.

    Attributes:
        mean, scale: m and s [d], of the vectors of training.
        vectors: s_i, standardised [m, d].
        coefficients: a [m].
        constants: b, gamma, u and t, the mean and the deviation of the ratings of training [4].
    """

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    vectors: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    constants: NDArray[np.float64]

    @classmethod
    def of(cls, fitted: "TransformedTargetRegressor") -> "SupportVectorArrays":
        """The arrays of a fitted `repline.systems.concreteness.regressors.support_vectors`."""
        standardise, svr = fitted.regressor_[0], fitted.regressor_[-1]
        ratings = fitted.transformer_
        constants = [svr.intercept_[0], svr.gamma, ratings.mean_[0], ratings.scale_[0]]
        return cls(standardise.mean_, standardise.scale_, svr.support_vectors_, svr.dual_coef_[0], np.array(constants))

    @property
    def rating_mean(self) -> float:
        """The mean rating of the words of training."""
        return float(self.constants[2])

    def predict(self, x: NDArray) -> NDArray[np.float64]:
        """Ratings [n] of vectors [n, d], in the unit of the ratings of training."""
        intercept, gamma, rating_mean, rating_scale = self.constants
        ratings = np.empty(len(x))
        squares = (self.vectors**2).sum(1)
        for start in range(0, len(x), BLOCK):
            z = (np.asarray(x[start : start + BLOCK], np.float64) - self.mean) / self.scale  # [k, d]
            distances = (z**2).sum(1)[:, None] + squares - 2 * z @ self.vectors.T  # [k, m]
            kernel = np.exp(-gamma * np.maximum(distances, 0))
            ratings[start : start + BLOCK] = kernel @ self.coefficients + intercept
        return ratings * rating_scale + rating_mean


FIELDS = ("mean", "scale", "vectors", "coefficients", "constants")


def write_regressors(
    folder: Path, regressors: Mapping[str, SupportVectorArrays], **arrays: NDArray[np.float64]
) -> None:
    """Write regressors by target, and further arrays, into a folder that is there."""
    named = {f"{target}.{field}": getattr(saved, field) for target, saved in regressors.items() for field in FIELDS}
    contiguous = {name: np.ascontiguousarray(values) for name, values in (named | arrays).items()}
    save_file(contiguous, folder / ARRAYS)


def read_regressors(
    folder: Path, targets: list[str]
) -> tuple[dict[str, SupportVectorArrays], dict[str, NDArray[np.float64]]]:
    """The regressors of targets that `write_regressors` wrote, and the further arrays.

    Raises:
        InputError: the file is not there, damaged, or lacks a target.
    """
    path = folder / ARRAYS
    try:
        arrays = load_file(path)
        regressors = {
            target: SupportVectorArrays(*(arrays.pop(f"{target}.{field}") for field in FIELDS)) for target in targets
        }
    except (OSError, KeyError, SafetensorError) as error:
        raise InputError(
            f"{path}: the regressors cannot be read ({in_one_line(error)}); copy the folder again"
        ) from None
    return regressors, arrays


def describe_ratings(
    folder: Path,
    regressors: Mapping[str, "TransformedTargetRegressor"],
    rated: RatedWords,
    words: Sequence[str],
    vectors: NDArray,
    *,
    alignment: NDArray | None = None,
    origin: Path | None = None,
) -> None:
    """Write regressors with the word vectors that they rate.

    Args:
        folder: it is there.
        regressors: by target, fitted `support_vectors`.
        rated: words that they were fitted on.
        words, vectors: of the space whose words can be rated, V and [V, d].
        alignment: [d, d'], from the space into that of the regressors, both at unit length; None where they are one.
        origin: a folder that has just these vectors, whose files are taken; None to write them.
    """
    space = folder / SPACE
    if origin is not None and (origin / VECTORS).exists():
        space.mkdir()
        for name in (VECTORS, VOCABULARY):
            link_or_copy(origin / name, space / name)
    else:
        store.save(space, words, vectors)
    arrays = {} if alignment is None else {MAP: np.asarray(alignment, np.float64)}
    write_regressors(
        folder, {target: SupportVectorArrays.of(fitted) for target, fitted in regressors.items()}, **arrays
    )
    ranges = {target: rated.rated_for(target)[1] for target in regressors}
    describe(
        folder,
        "concreteness",
        "ratings" if alignment is None else "aligned_ratings",
        {
            "targets": list(regressors),
            "lowest": {target: float(values.min()) for target, values in ranges.items()},
            "highest": {target: float(values.max()) for target, values in ranges.items()},
        },
    )
