"""Whether two systems' correlations with the same gold ratings differ by more than chance."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

BLOCK = 1 << 20  # values that are shuffled at a time


def randomization_test(
    gold: ArrayLike, first: ArrayLike, second: ArrayLike, *, shuffles: int = 10_000, seed: int = 0
) -> float:
    """The paired approximate randomisation test of a difference in Spearman's rank correlation, two-sided.

        p = (1 + |{ shuffle : |rho_1' - rho_2'| >= |rho_1 - rho_2| }|) / (1 + shuffles)

    In a shuffle the two predictions of each word change places with probability 1/2.

    Args:
        gold: [n] ratings.
        first, second: [n] predictions of the two systems, in the same unit.
        shuffles: how many.
        seed: of the shuffles.

    Returns:
        p, from 1 / (1 + shuffles) to 1.

    Raises:
        ValueError: lengths differ, or there are fewer than two words.

    Source: Edgington 1969; Noreen 1989 for the counting of the observed one.
    """
    gold, first, second = (np.asarray(values, dtype=float) for values in (gold, first, second))
    if not gold.shape == first.shape == second.shape or gold.ndim != 1 or len(gold) < 2:
        raise ValueError(f"expected three lists of one length, found {gold.shape}, {first.shape}, {second.shape}")
    ranks = _standardised(rankdata(gold)[None])[0]
    observed = abs(float((_correlations(ranks, first[None]) - _correlations(ranks, second[None]))[0]))
    random = np.random.default_rng(seed)
    extreme, rows = 0, max(1, BLOCK // len(gold))
    for start in range(0, shuffles, rows):
        swap = random.random((min(rows, shuffles - start), len(gold))) < 0.5
        one, other = np.where(swap, second, first), np.where(swap, first, second)
        differences = np.abs(_correlations(ranks, one) - _correlations(ranks, other))
        extreme += int((differences >= observed - 1e-12).sum())
    return (1 + extreme) / (1 + shuffles)


def _correlations(ranks: NDArray, predictions: NDArray) -> NDArray:
    """Spearman's rho of each row of predictions [m, n] with standardised gold ranks [n]; 0 for constant rows."""
    return _standardised(rankdata(predictions, axis=1)) @ ranks


def _standardised(ranks: NDArray) -> NDArray:
    centred = ranks - ranks.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    return centred / np.where(lengths > 0, lengths, 1)
