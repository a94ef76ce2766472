"""Bootstrap replicates of a measurement: runs (seeds of training) drawn with replacement, then test items.

Draws depend on the number of the replicate alone. Two systems that are measured on the same items are so measured on
the same resamples: differences between them are paired.
"""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from repline.evaluation.nested_measures import Measures, Metric, Replicate
from repline.evaluation.replication.replicate_files import overlay
from repline.evaluation.replication.seed_means import mean_of_runs

REPLICATES = 200


def drawn_items(items: int, replicate: int) -> np.ndarray:
    """Indices of `items` test items, drawn with replacement [items]."""
    return np.random.default_rng([replicate, 0]).integers(items, size=items)


def drawn_runs(runs: int, replicate: int) -> np.ndarray:
    """Indices of all runs but one, drawn with replacement [runs - 1]; of a single run its own [1].

    So the mean of a draw has the variance s^2 / n with the unbiased s^2 = sum_i (x_i - mean)^2 / (n - 1). Draws of all
    n have (n - 1) / n of that, which is half for two seeds and two thirds for three.

    Source: Rao & Wu 1988, Resampling inference with complex survey data (m = n - 1).
    """
    return np.random.default_rng([replicate, 1]).integers(runs, size=max(runs - 1, 1))


def members_of(groups: ArrayLike) -> list[np.ndarray]:
    """The items of each group, from the group of each item [items]: what `drawn_groups` draws from."""
    numbers, sizes = np.unique(np.asarray(groups), return_inverse=True, return_counts=True)[1:]
    return np.split(np.argsort(numbers, kind="stable"), np.cumsum(sizes)[:-1])


def drawn_groups(members: Sequence[np.ndarray], replicate: int) -> np.ndarray:
    """Indices of the items of as many groups as there are, drawn with replacement: about as many as all items."""
    return np.concatenate([members[group] for group in drawn_items(len(members), replicate)])


def bootstrap(
    measure: Callable[[Any, np.ndarray], Measures],
    runs: Sequence[Any],
    items: int,
    replicates: int = REPLICATES,
    groups: ArrayLike | None = None,
) -> list[Replicate]:
    """Metrics of resampled runs on resampled items, averaged over the runs.

    Args:
        measure: the metrics of one run on the items of these indices [items], repeated ones among them.
        runs: what `measure` takes: the predictions of one trained model each. A single one is never resampled.
        items: how many test items there are.
        replicates: how many resamples.
        groups: [items], of items that are not independent, as the pairs of one sentence: a group is drawn whole. None:
            each item is drawn for itself.

    Returns:
        One nested mapping a replicate, as `measure` and `mean_of_runs` give it.
    """
    replicates_made = []
    members = None if groups is None else members_of(groups)
    for replicate in range(replicates):
        item_rows = drawn_items(items, replicate) if members is None else drawn_groups(members, replicate)
        run_numbers = drawn_runs(len(runs), replicate).tolist()
        measured = {run: measure(runs[run], item_rows) for run in sorted(set(run_numbers))}
        replicates_made.append(mean_of_runs([measured[run] for run in run_numbers]))
    return replicates_made


def resampled_seeds(seeds: Sequence[Replicate], replicates: int = REPLICATES) -> list[Replicate]:
    """Replicates of a mean over seeds that has no test items: the mean of drawn seeds; of one seed its own numbers."""
    if len(seeds) < 2:
        return list(seeds)
    means = {}
    drawn = [tuple(sorted(drawn_runs(len(seeds), replicate).tolist())) for replicate in range(replicates)]
    for numbers in set(drawn):
        means[numbers] = mean_of_runs([seeds[number] for number in numbers])
    return [means[numbers] for numbers in drawn]


def side_by_side(**groups: Sequence[Replicate]) -> list[Replicate]:
    """The replicates of several parts of the metrics as replicates of the whole, each under its name.

    A group that has fewer of them leaves its numbers out of the later ones.
    """
    rows = zip_longest(*groups.values(), fillvalue={})
    return [dict(zip(groups, row, strict=True)) for row in rows]


def merge_replicates(*groups: Sequence[Replicate]) -> list[Replicate]:
    """Replicates whose numbers lie in the same mappings, laid over each other: the first of each, the second, ..."""
    replicates_made: list[Replicate] = []
    for row in zip_longest(*groups, fillvalue={}):
        merged: dict[str, Metric] = {}
        for part in row:
            merged = overlay(merged, part)
        replicates_made.append(merged)
    return replicates_made
