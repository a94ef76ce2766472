"""Accuracy by group (number of attractors, depth of nesting), with Wilson intervals."""

import numpy as np
from numpy.typing import ArrayLike

from repline.evaluation.replication.wilson_interval import wilson


def accuracy_by(correct: ArrayLike, groups: ArrayLike, name: str, first: int = 0) -> dict[str, list[float | None]]:
    """Accuracy in each group, as lists indexed by group from `first` to the largest one present.

    Args:
        correct: [N] of bool, one a prediction (pooled over runs, if there are several).
        groups: [N] of int.
        name: what the groups are, for the keys.
        first: the group at index 0; smaller ones are an error.

    Returns:
        `accuracy_by_<name>`, its 95 % Wilson bounds `accuracy_by_<name>_low` and `_high` (null where a group is empty),
        and `examples_by_<name>`.

    Raises:
        ValueError: arrays of different lengths, or a group below `first`.
    """
    correct, groups = np.asarray(correct, dtype=bool), np.asarray(groups) - first
    if correct.shape != groups.shape or (groups < 0).any():
        raise ValueError(f"expected one group of at least {first} for each of {correct.size} predictions")
    trials = np.bincount(groups)
    successes = np.bincount(groups, weights=correct)
    low, high = wilson(successes, trials)
    share = successes / np.where(trials > 0, trials, np.nan)
    return {
        f"accuracy_by_{name}": _numbers(share),
        f"accuracy_by_{name}_low": _numbers(low),
        f"accuracy_by_{name}_high": _numbers(high),
        f"examples_by_{name}": trials.tolist(),
    }


def _numbers(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 6) for value in values]
