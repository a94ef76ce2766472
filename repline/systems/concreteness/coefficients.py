"""Coefficients of linear models: over how many dimensions they spread, and what chance does to that.

The model of all words is compared with models of drawn words, and models of ratings dealt to other words.
"""

import warnings
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVR

from repline.evaluation.replication.bootstrap import drawn_items
from repline.systems.concreteness.rated_words import RatedWords
from repline.systems.concreteness.regressors import linear_coefficients, standardised

MEASURED = ("concreteness", "imageability")
DRAWS = 30
SHUFFLES = 10
TOLERANCE, ITERATIONS = 1e-3, 2000


def measured_coefficients(rated: RatedWords) -> dict[str, dict[str, list[Any]]]:
    """By target, the coefficients of a linear model: `fitted` [d], `resampled` and `shuffled`, lists of such."""
    data = {target: rated.rated_for(target) for target in MEASURED if target in rated.ratings}
    return {
        target: {
            "fitted": linear_coefficients(x, y).tolist(),
            "resampled": resampled_coefficients(x, y),
            "shuffled": shuffled_coefficients(x, y),
        }
        for target, (x, y) in data.items()
    }


class Mass(TypedDict):
    """How the mass of coefficients is spread, see `coefficient_mass`."""

    cumulative: list[float]
    dimensions_for_half: int
    dimensions_for_80_percent: int
    share_for_half: float
    share_for_80_percent: float
    mass_of_half: float


def coefficient_mass(coefficients: ArrayLike) -> Mass:
    """The cumulative share of the absolute coefficients, largest first.

    Args:
        coefficients: [d], not all zero.

    Returns:
        `cumulative` [d], ending at 1; `dimensions_for_half` and `dimensions_for_80_percent`, the fewest that hold 50
        and 80 % of the mass, and both as shares of d (`share_...`); `mass_of_half`, what the larger half holds.

    Raises:
        ValueError: no coefficient differs from zero.

    Source: Ljubešić, Fišer & Peti-Stantić 2018, section 4.4.
    """
    sizes = np.sort(np.abs(np.asarray(coefficients, dtype=float)))[::-1]
    if not sizes.sum() > 0:
        raise ValueError("expected coefficients that differ from zero")
    cumulative = np.cumsum(sizes) / sizes.sum()
    half, four_fifths = (int(np.argmax(cumulative >= share - 1e-12)) + 1 for share in (0.5, 0.8))
    return {
        "cumulative": cumulative.tolist(),
        "dimensions_for_half": half,
        "dimensions_for_80_percent": four_fifths,
        "share_for_half": half / len(sizes),
        "share_for_80_percent": four_fifths / len(sizes),
        "mass_of_half": float(cumulative[max(len(sizes) // 2, 1) - 1]),
    }


def resampled_coefficients(x: NDArray, y: NDArray, draws: int = DRAWS) -> list[list[float]]:
    """The coefficients of a linear model of drawn words, with replacement, `draws` times [d].

    Args:
        x: [n, d] vectors.
        y: [n] ratings.
    """
    return [_coefficients(x[rows], y[rows]) for rows in (drawn_items(len(y), draw) for draw in range(draws))]


def shuffled_coefficients(x: NDArray, y: NDArray, shuffles: int = SHUFFLES) -> list[list[float]]:
    """The coefficients when every rating is given to a random other word, `shuffles` times [d].

    No dimension tells anything then: how far the mass is spread here is what a model without information has.
    """
    return [_coefficients(x, np.random.default_rng([shuffle, 2]).permutation(y)) for shuffle in range(shuffles)]


def _coefficients(x: NDArray, y: NDArray) -> list[float]:
    """Linear coefficients [d] by liblinear, which is ten times as fast as the solver with a kernel.

    It penalises the intercept too; its coefficients are within a thirtieth of the largest one.
    """
    model = standardised(LinearSVR(C=1.0, epsilon=0.1, tol=TOLERANCE, max_iter=ITERATIONS, random_state=0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the last digits of coefficients do not matter here
        return model.fit(x, y).regressor_[-1].coef_.ravel().tolist()
