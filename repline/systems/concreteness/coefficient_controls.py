"""Linear models of drawn words, and of ratings dealt to other words: what chance does to the spread of coefficients."""

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVR

from repline.evaluation.replication.bootstrap import drawn_items
from repline.systems.concreteness.regressors import standardised

DRAWS = 30
SHUFFLES = 10
TOLERANCE, ITERATIONS = 1e-3, 2000


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
    """As `regressors.linear_coefficients`, by a solver without a kernel, which penalises the intercept too: ten times
    as fast, and the coefficients are within a thirtieth of the largest one of its."""
    model = standardised(LinearSVR(C=1.0, epsilon=0.1, tol=TOLERANCE, max_iter=ITERATIONS, random_state=0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the last digits of coefficients do not matter here
        return model.fit(x, y).regressor_[-1].coef_.ravel().tolist()
