"""Inference, reconstruction and transfer of each variant: means over seeds, and replicates of them.

A replicate draws seeds and test items anew, the same ones for all variants.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.replication.weighted_draws import draws, mean_of_drawn_runs, mean_of_draws

ALL = "all"  # the test pairs of every source together
Numbers = dict[str, Any]


def accuracies(
    predicted: Sequence[NDArray[np.integer]], gold: NDArray[np.integer], sources: Sequence[str]
) -> tuple[Numbers, Numbers]:
    """Accuracy on all test pairs and on those of each source: a mean of seeds, and its replicates [R].

    Args:
        predicted: of each seed, labels [B]; gold: [B]; sources: of each pair.
    """
    right = np.stack([labels == gold for labels in predicted])  # [S, B]
    found, repeated = {}, {}
    for source in (ALL, *dict.fromkeys(sources)):
        own = right[:, [source in (ALL, one) for one in sources]]
        weights = draws(own.shape[1])
        found[source] = float(own.mean())
        repeated[source] = mean_of_drawn_runs([mean_of_draws(each, weights) for each in own])
    return found, repeated


def per_place(errors: Sequence[NDArray[np.float64]]) -> tuple[float, NDArray[np.float64]]:
    """Squared error a place: a mean of seeds, and its replicates [R].

    Args:
        errors: of each seed [B, 2], the sum of a pair's errors and its number of places.
    """
    weights = draws(len(errors[0]))
    each = [(weights @ one[:, 0]) / (weights @ one[:, 1]) for one in errors]
    return float(np.mean([one[:, 0].sum() / one[:, 1].sum() for one in errors])), mean_of_drawn_runs(each)


def reconstructions(measured: Sequence[Mapping[str, NDArray]]) -> tuple[Numbers, Numbers]:
    """`held_out`, by term of the second loss, and `probe`, by target: as in `per_place`.

    Args:
        measured: of each seed, `repline.systems.supervised_unsupervised.training.measured`.
    """
    found: dict[str, Numbers] = {}
    repeated: dict[str, Numbers] = {}
    for key in measured[0]:
        kind, _, name = key.partition(".")
        if name:
            point, again = per_place([one[key] for one in measured])
            found.setdefault(kind, {})[name], repeated.setdefault(kind, {})[name] = point, again
    return found, repeated


def transfers(runs: Sequence[Mapping[str, Mapping[str, Any]]]) -> tuple[Numbers, Numbers]:
    """By task, the value: a mean of seeds, and its replicates [R]; beside it `<task>_f1` and the like, without these.

    Args:
        runs: of each seed, `repline.systems.supervised_unsupervised.transfer.judged`.
    """
    found, repeated = {}, {}
    for task in runs[0]:
        name = task.replace("-", "_")
        for key in runs[0][task].keys() - {"replicates"}:
            found[name if key == "value" else f"{name}_{key}"] = float(np.mean([run[task][key] for run in runs]))
        repeated[name] = mean_of_drawn_runs([run[task]["replicates"] for run in runs])
    return dict(sorted(found.items())), repeated
