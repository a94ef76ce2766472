"""Compare predicted vectors of held-out words with the true ones: cosine, rank among all words, P@10.

Notation: n held-out words, V words of the space, R replicates.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.replication.weighted_draws import draws, mean_of_drawn_runs, mean_of_draws

NEAREST = 10  # P@10
BLOCK = 256  # predictions whose cosines with all words are in memory


class Nearness(NamedTuple):
    """Cosine of prediction and truth [n] of each held-out word, and how many words of V are nearer [n]."""

    cosines: NDArray[np.float64]
    ranks: NDArray[np.int64]  # 0: none is nearer than the true vector


def nearness(predicted: NDArray, rows: NDArray[np.int64], space: NDArray) -> Nearness:
    """Compare predictions with the true vectors among all of a space.

    Args:
        predicted: [n, d]; a vector of zeros has the cosine 0 with all, and half of the words are nearer.
        rows: [n] of the true vectors.
        space: [V, d].
    """
    unit = _unit(space).astype(np.float32)
    unit_predictions = _unit(predicted).astype(np.float32)
    cosines, ranks = np.empty(len(unit_predictions)), np.empty(len(unit_predictions), dtype=np.int64)
    for start in range(0, len(unit_predictions), BLOCK):
        some = slice(start, start + BLOCK)
        near = unit_predictions[some] @ unit.T  # [b, V]
        true = np.take_along_axis(near, rows[some, None], axis=1)
        cosines[some] = true[:, 0]
        nearer, equal = (near > true).sum(1), (near == true).sum(1) - 1
        ranks[some] = nearer + equal // 2
    return Nearness(cosines, ranks)


def scores(runs: Sequence[Nearness]) -> dict[str, float]:
    """Means over runs of the cosine, the median rank (the nearest word has rank 1) and P@10."""
    return {
        "cosine": float(np.mean([run.cosines.mean() for run in runs])),
        "median_rank": float(np.mean([np.median(run.ranks) + 1 for run in runs])),
        "p10": float(np.mean([(run.ranks < NEAREST).mean() for run in runs])),
    }


def replicates(methods: Mapping[str, Sequence[Nearness]]) -> dict[str, dict[str, NDArray]]:
    """Resample the words, and the runs where there are several: arrays [R] by method and number."""
    items = len(next(iter(methods.values()))[0].cosines)
    weights = draws(items)
    numbers = {}
    for name, runs in methods.items():
        numbers[name] = {
            "cosine": mean_of_drawn_runs([mean_of_draws(run.cosines, weights) for run in runs]),
            "median_rank": mean_of_drawn_runs([_medians(run.ranks, weights) + 1 for run in runs]),
            "p10": mean_of_drawn_runs([mean_of_draws(run.ranks < NEAREST, weights) for run in runs]),
        }
    return numbers


def _medians(values: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """Weighted medians of values: one for each row of integer weights [R]."""
    return np.array([np.median(np.repeat(values, weight)) for weight in weights])


def _unit(vectors: NDArray) -> NDArray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros(vectors.shape, dtype=np.float64), where=lengths > 0)
