"""Whether two systems' correlations with the same gold ratings differ by more than chance."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import permutation_test, rankdata

VALUES_PER_BLOCK = 1 << 20  # values that are shuffled at a time


def randomization_test(
    gold: ArrayLike, first: ArrayLike, second: ArrayLike, *, shuffles: int = 10_000, seed: int = 0
) -> float:
    """The paired approximate randomisation test of a difference in Spearman's rank correlation, two-sided.

        p = (1 + |{ shuffle : |rho_1' - rho_2'| >= |rho_1 - rho_2| }|) / (1 + shuffles)

    In a shuffle the two predictions of each word change places with probability 1/2. Where there are no more than
    `shuffles` ways to do so, p is the share of all of them.

    Args:
        gold: [n] ratings.
        first, second: [n] predictions of the two systems, in the same unit.
        shuffles: how many.
        seed: of the shuffles.

    Returns:
        p, above 0 to 1.

    Raises:
        ValueError: lengths differ, or there are fewer than two words.

    Source: Edgington 1969; Noreen 1989 for the counting of the observed one.
    """
    gold, first, second = (np.asarray(values, dtype=float) for values in (gold, first, second))
    if not gold.shape == first.shape == second.shape or gold.ndim != 1 or len(gold) < 2:
        raise ValueError(f"expected three lists of one length, found {gold.shape}, {first.shape}, {second.shape}")
    ranks = _standardised(rankdata(gold))

    def difference(first_side: NDArray, second_side: NDArray, axis: int) -> NDArray:
        rho_first, rho_second = (_standardised(rankdata(side, axis=axis)) @ ranks for side in (first_side, second_side))
        return np.round(np.abs(rho_first - rho_second), 12)  # equal ones are equal

    return float(
        permutation_test(
            (first, second),
            difference,
            permutation_type="samples",
            vectorized=True,
            n_resamples=shuffles,
            batch=max(1, VALUES_PER_BLOCK // len(gold)),
            alternative="greater",
            rng=seed,
        ).pvalue
    )


def _standardised(ranks: NDArray) -> NDArray:
    """[..., n], each row of mean 0 and length 1; constant rows are 0, so that their correlation is 0."""
    centred = ranks - ranks.mean(axis=-1, keepdims=True)
    lengths = np.linalg.norm(centred, axis=-1, keepdims=True)
    return centred / np.where(lengths > 0, lengths, 1)
