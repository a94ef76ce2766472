"""The mean of several runs of one experiment."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def mean_of_runs(runs: Sequence[Any]) -> Any:
    """The mean, number by number, of nested mappings and lists of equal form.

    >>> mean_of_runs([{"a": [1, 2]}, {"a": [3, 4]}])
    {'a': [2.0, 3.0]}

    What a run could not measure (None) has no mean.

    Raises:
        ValueError: runs of different form.
    """
    first = runs[0]
    if any(run is None for run in runs):
        return None
    if isinstance(first, dict):
        if any(run.keys() != first.keys() for run in runs):
            raise ValueError("runs of different form cannot be averaged")
        return {key: mean_of_runs([run[key] for run in runs]) for key in first}
    if isinstance(first, list):
        return [mean_of_runs(items) for items in zip(*runs, strict=True)]
    return float(np.mean(runs))
