"""Pearson's and Spearman's correlation, where they are defined."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy  # whose `stats` is loaded when it is first used
from numpy.typing import NDArray

from repline.evaluation.replication.weighted_draws import MIN_PAIRS, ROUNDING


def pearson(first: NDArray, second: NDArray, least: int = MIN_PAIRS) -> float | None:
    """Pearson's linear correlation.

    Args:
        first, second: [n].
        least: values from which on it says anything.

    Returns:
        None for fewer than `least` values, or where a side is constant, as of `is_constant`.
    """
    return _where_defined(lambda: scipy.stats.pearsonr(first, second), first, second, least)


def spearman(first: NDArray, second: NDArray, least: int = MIN_PAIRS) -> float | None:
    """Spearman's rank correlation with average ranks for ties; arguments and None as of `pearson`."""
    return _where_defined(lambda: scipy.stats.spearmanr(first, second), first, second, least)


def is_constant(values: NDArray) -> bool:
    """Whether values [n] are equal but for rounding, as cosines of vectors that all have one direction."""
    return bool(np.ptp(values) <= ROUNDING * np.abs(values).max())


def _where_defined(measure: Callable[[], Any], first: NDArray, second: NDArray, least: int) -> float | None:
    if len(first) < least or is_constant(first) or is_constant(second):
        return None
    return float(measure().statistic)
