"""Correlations of similarities with people's scores on resampled pairs: replicates for the claims."""

import math
from collections.abc import Sequence

import numpy as np

from repline.evaluation.replication.bootstrap import REPLICATES
from repline.evaluation.replication.units import NO_UNIT, pair_units
from repline.evaluation.sentence_similarity import PairFile

Correlations = dict[str, dict[str, float | None]]  # test -> file -> r x 100
CONSTANT = 1e-12  # share of the largest square below which a variance is rounding


def drawn_pairs(pairs: PairFile, number: int = 0, replicates: int = REPLICATES) -> np.ndarray:
    """How often each pair of a file is drawn in each replicate, float64 [R, n].

    Units are drawn with replacement, not pairs: pairs that share a text are not independent, and drawing them one by
    one would make chance look smaller than it is. `repline.evaluation.replication.units.pair_units` has the units.

    Args:
        number: of the file; two files of one size are drawn independently.
    """
    number_of = {text: number for number, text in enumerate(dict.fromkeys(map(tuple, pairs.first + pairs.second)))}
    first, second = ([f"{number_of[tuple(text)]:09}" for text in side] for side in (pairs.first, pairs.second))
    units = pair_units(first, second)
    size = int(units.max(initial=NO_UNIT)) + 1
    counts = np.empty((replicates, len(units)))
    for replicate, row in enumerate(counts):
        drawn = np.random.default_rng([replicate, 0, number]).integers(size, size=size)
        row[:] = np.append(np.bincount(drawn, minlength=size), 1)[units].prod(axis=1)  # 1 is that of NO_UNIT, the last
    return counts


def weighted_correlations(similarities: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> list[float | None]:
    """Pearson's r x 100 under each row of weights [R, n]; None where either side is constant.

    Args:
        similarities, scores: [n].
    """
    weights = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1)
    # centred first: sums of squares of nearly equal numbers lose digits
    x, y = similarities - similarities.mean(), scores - scores.mean()
    mean_x, mean_y = weights @ x, weights @ y
    covariance = weights @ (x * y) - mean_x * mean_y
    variances = weights @ x**2 - mean_x**2, weights @ y**2 - mean_y**2
    least_x, least_y = (CONSTANT * np.square(side).max(initial=0) for side in (x, y))
    return [
        100 * float(both / math.sqrt(x_variance * y_variance))
        if x_variance > least_x and y_variance > least_y
        else None
        for both, x_variance, y_variance in zip(covariance, *variances, strict=True)
    ]


def resampled_correlations(
    files: Sequence[PairFile], similarities: Sequence[np.ndarray], draws: Sequence[np.ndarray]
) -> list[Correlations]:
    """The correlations of every file in each replicate, in the form of `file_correlations`.

    Sentence vectors stay what they are: common components are those of the whole file in every replicate.

    Args:
        similarities: of each file's pairs, [n]; draws: `drawn_pairs` of each file, [R, n].
    """
    replicates: list[Correlations] = [{} for _ in draws[0]]
    for pairs, values, weights in zip(files, similarities, draws, strict=True):
        for correlations, value in zip(replicates, weighted_correlations(values, pairs.scores, weights), strict=True):
            correlations.setdefault(pairs.test, {})[pairs.file] = value
    return replicates
