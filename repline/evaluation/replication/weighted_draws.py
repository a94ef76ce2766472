"""Bootstrap of tests of word vectors: every test's pairs or questions are drawn again, for all vectors alike.

The vectors of a test are all measured on the same draws, so that differences between them are paired. Nothing is
measured again: a draw is a weight of each item, and all draws are computed at once.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repline.evaluation.nested_measures import Arrays, Metric, Replicate
from repline.evaluation.replication.bootstrap import REPLICATES, drawn_items, drawn_runs

MIN_PAIRS = 3  # a correlation of two is always 1 or -1
ROUNDING = 1e-12  # values that differ by no more than this share of the largest are equal but for rounding


def draws(items: int, replicates: int = REPLICATES, groups: ArrayLike | None = None) -> NDArray[np.int64]:
    """How often each item is in each replicate: [R, items], the same draws as `bootstrap.bootstrap` makes.

    Args:
        groups: [items], of items that are not independent: a group is drawn whole. None: each item for itself.
    """
    if groups is not None:
        numbers = np.unique(np.asarray(groups), return_inverse=True)[1]
        return draws(int(numbers.max(initial=-1)) + 1, replicates)[:, numbers]
    return np.stack([np.bincount(drawn_items(items, replicate), minlength=items) for replicate in range(replicates)])


def mean_of_draws(values: ArrayLike, weights: NDArray) -> NDArray[np.float64]:
    """The mean of the items' values in each replicate: [R], NaN where none of the items was drawn.

    Args:
        values: [n], as 1 for a right answer and 0 for a wrong one.
        weights: [R, n], as of `draws`.
    """
    total = weights.sum(1)
    sums = weights @ np.asarray(values, dtype=np.float64)
    return np.divide(sums, total, out=np.full(len(weights), np.nan), where=total > 0)


def pearson_of_draws(first: ArrayLike, second: ArrayLike, weights: NDArray) -> NDArray[np.float64]:
    """Pearson's correlation in each replicate: [R], NaN where it is undefined or of fewer than three items.

    It is undefined where the drawn values of a side are equal, rounding apart.

    Args:
        first, second: [n] or [R, n] (values that differ by replicate).
        weights: [R, n].
    """
    total = weights.sum(1)
    safe = np.maximum(total, 1)[:, None]
    sides = [np.broadcast_to(np.asarray(side, dtype=np.float64), weights.shape) for side in (first, second)]
    x, y = (side - (weights * side).sum(1, keepdims=True) / safe for side in sides)  # centred
    covariance = (weights * x * y).sum(1)
    product = np.sqrt((weights * x**2).sum(1) * (weights * y**2).sum(1))
    defined = (total >= MIN_PAIRS) & (product > 0) & np.all([_vary(side, weights) for side in sides], axis=0)
    return np.divide(covariance, product, out=np.full(len(weights), np.nan), where=defined)


def spearman_of_draws(first: ArrayLike, second: ArrayLike, weights: NDArray) -> NDArray[np.float64]:
    """Spearman's correlation with average ranks in each replicate: [R], NaN as for Pearson's.

    Args:
        first, second: [n], cosines and scores.
        weights: [R, n].
    """
    values = [np.broadcast_to(np.asarray(side, dtype=np.float64), weights.shape) for side in (first, second)]
    correlations = pearson_of_draws(_ranks(np.asarray(first), weights), _ranks(np.asarray(second), weights), weights)
    return np.where(np.all([_vary(side, weights) for side in values], axis=0), correlations, np.nan)


def mean_of_drawn_runs(values: ArrayLike) -> NDArray[np.float64]:
    """The mean over runs (seeds of training) that are drawn with replacement, replicate by replicate: [R].

    Args:
        values: [runs, R], what each run has in each replicate. A single run is never resampled.
    """
    values = np.asarray(values, dtype=np.float64)
    drawn = _drawn_runs(*values.shape)
    return np.take_along_axis(values.T, drawn, axis=1).mean(1)


@cache
def _drawn_runs(runs: int, replicates: int) -> NDArray[np.int64]:
    return np.stack([drawn_runs(runs, replicate) for replicate in range(replicates)])


def as_parts(nested: Arrays) -> list[Replicate]:
    """Nested mappings of arrays [R] as R nested mappings of numbers, or of lists for [R, k]; None for NaN.

    Raises:
        ValueError: the arrays differ in length.
    """
    parts: list[dict[str, Metric]] = []
    for key, value in nested.items():
        rows: Sequence[Metric] = as_parts(value) if isinstance(value, Mapping) else [_number(row) for row in value]
        if not rows:
            continue
        parts = parts or [{} for _ in rows]
        if len(rows) != len(parts):
            raise ValueError(f"expected {len(parts)} replicates of {key}, found {len(rows)}")
        for part, row in zip(parts, rows, strict=True):
            part[key] = row
    return [*parts]


def weights_of(items: int, replicates: int = REPLICATES, groups: ArrayLike | None = None) -> NDArray[np.int64]:
    """[1 + R, items]: once everything as it is, then what each replicate draws, items or whole groups as in `draws`."""
    if not items:
        return np.ones((1 + replicates, 0), dtype=np.int64)
    return np.concatenate([np.ones((1, items), dtype=np.int64), draws(items, replicates, groups)])


def question_weights(questions: Sequence[Sequence[Any]], replicates: int = REPLICATES) -> NDArray[np.int64]:
    """How often each analogy question counts: [1 + R, n], the first row once each.

    Questions that share a pair are not independent (30 capitals make 870 questions), so a replicate draws the pairs
    that the questions are made of, and a question counts as often as its two pairs together: the product.

    Args:
        questions: a : b is as c : d, each [a, b, c, d], words or their numbers.
    """
    pair_numbers: dict[tuple[Any, ...], int] = {}
    sides = [
        [pair_numbers.setdefault(tuple(question[start : start + 2]), len(pair_numbers)) for question in questions]
        for start in (0, 2)
    ]
    drawn = weights_of(len(pair_numbers), replicates)
    return drawn[:, sides[0]] * drawn[:, sides[1]] if sides[0] else drawn


def numbers(runs: Sequence[Any]) -> Any:
    """The means over runs of what the first weights gave: nested arrays [1 + R] of equal form become numbers or None.

    As in `repline.evaluation.replication.seed_means.mean_of_runs`, what one run could not measure has no mean.
    """
    if isinstance(runs[0], Mapping):
        return {name: numbers([run[name] for run in runs]) for name in runs[0]}
    mean = float(np.mean([run[0] for run in runs]))
    return None if np.isnan(mean) else mean


def replicates(runs: Sequence[Any]) -> list[Replicate]:
    """Numbers under the other weights, with the runs resampled in every replicate."""
    return as_parts(_drawn(runs))


def _drawn(runs: Sequence[Any]) -> Any:
    if isinstance(runs[0], Mapping):
        return {name: _drawn([run[name] for run in runs]) for name in runs[0]}
    return mean_of_drawn_runs([run[1:] for run in runs])


def _number(value: NDArray) -> Any:
    return None if np.isnan(value).any() else value.tolist()


def _vary(values: NDArray, weights: NDArray) -> NDArray[np.bool_]:
    """[R]: whether the values [R, n] that a replicate draws differ by more than rounding."""
    high = np.where(weights > 0, values, -np.inf).max(axis=1, initial=-np.inf)
    low = np.where(weights > 0, values, np.inf).min(axis=1, initial=np.inf)
    return high - low > ROUNDING * np.maximum(np.abs(high), np.abs(low))


def _ranks(values: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """[R, n]: the average rank of each item's value among all that were drawn, each as often as it was."""
    _, inverse = np.unique(values, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    starts = np.flatnonzero(np.diff(inverse[order], prepend=-1))
    counts = np.add.reduceat(weights[:, order], starts, axis=1)  # [R, different values]
    return (np.cumsum(counts, axis=1) - (counts - 1) / 2)[:, inverse]
