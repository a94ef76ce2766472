"""How far the raters of scored pairs agree: intraclass correlations, by how many of them rated a pair."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.nested_measures import Array
from repline.evaluation.replication.weighted_draws import MIN_PAIRS, ROUNDING, weights_of

MAX_RATERS = 6  # of a row of the paper's table; pairs with more raters are counted together


def intraclass_correlation(ratings: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """The part of the variance of single ratings that lies between the items, each of them rated by k others.

        ICC(1, 1) = (B - W) / (B + (k - 1) W)

    with the mean squares B between the items and W within them.

    Args:
        ratings: [n, k].
        weights: [R, n], how often each item is drawn.

    Returns:
        [R], NaN where fewer than three items are drawn, or all ratings are the same.

    Source: Shrout and Fleiss 1979, "Intraclass correlations: uses in assessing rater reliability".
    """
    items, raters = weights.sum(1), ratings.shape[1]
    means = ratings.mean(1)  # [n]
    grand_mean = weights @ means / np.maximum(items, 1)  # [R]
    deviations = means - grand_mean[:, None]  # [R, n]
    between = raters * (weights * deviations**2).sum(1) / np.maximum(items - 1, 1)
    within = weights @ ((ratings - means[:, None]) ** 2).sum(1) / np.maximum(items * (raters - 1), 1)
    total = between + (raters - 1) * within
    least = ROUNDING**2 * np.square(ratings).max(initial=0)  # of a variance that is not rounding
    defined = (items >= MIN_PAIRS) & (total > least)
    return np.divide(between - within, total, out=np.full(len(weights), np.nan), where=defined)


def rater_agreement(ratings: Sequence[Sequence[float]]) -> dict[str, Array]:
    """Pairs and the correlation of their ratings, by the number of raters, with replicates of drawn pairs.

    Args:
        ratings: those of each pair.

    Returns:
        by "raters_2" to "raters_6", where there are such pairs, `pairs` and `icc`; by "more" and "all" their `pairs`;
        [1 + R] each.

    Source: Newman-Griffis et al. 2018, Table 11.
    """
    numbers_of_raters = np.array([len(pair_ratings) for pair_ratings in ratings])
    agreement: dict[str, Array] = {}
    for number in range(2, MAX_RATERS + 1):
        rated = np.array([pair_ratings for pair_ratings in ratings if len(pair_ratings) == number], np.float64)
        if len(rated):
            weights = weights_of(len(rated))
            constant = np.ones(len(weights))
            agreement[f"raters_{number}"] = {
                "pairs": constant * len(rated),
                "icc": intraclass_correlation(rated, weights),
            }
    constant = np.ones(len(weights_of(1)))
    agreement["more"] = {"pairs": constant * (numbers_of_raters > MAX_RATERS).sum()}
    agreement["all"] = {"pairs": constant * len(ratings)}
    return agreement
