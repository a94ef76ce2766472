"""The standard error of a replicated number by resampled units and runs, and what Student's t makes of it.

    s^2 = v_1 + v_2 + ...,    f = (v_1 + v_2 + ...)^2 / (v_1^2 / (n_1 - 1) + v_2^2 / (n_2 - 1) + ...)

v_1 is the variance by n_1 units, and v_2 and further ones are those by runs (seeds of training).

Source: Satterthwaite 1946, "An approximate distribution of estimates of variance components".
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from repline.evaluation.replication.intervals import COVERED


class StandardError(NamedTuple):
    """The standard error of a number, and the degrees of freedom by which Student's t judges it."""

    size: float
    freedom: float

    def half_interval(self) -> float:
        """Half of the 95 % interval of the number."""
        return float(student.ppf(COVERED[1] / 100, self.freedom) * self.size)

    def two_sided(self, number: float, units: int) -> float:
        """The chance of a number at least so far from 0, either way, where 0 is true.

        It is never below 2^(1 - n) of n units, that of n tosses of a coin which all fall on one side.
        """
        least = 2.0 ** (1 - units)
        if self.size == 0:
            return 1.0 if number == 0 else least
        return max(least, float(2 * student.sf(abs(number) / self.size, self.freedom)))


def standard_error(replicates: NDArray[np.float64], runs: Sequence[NDArray[np.float64]], units: int) -> StandardError:
    """The standard error of a number by units and by runs.

    Args:
        replicates: the number in each replicate [R], of drawn units and runs.
        runs: what each run has on all units, for each group of runs that is drawn on its own; groups of one run say
            nothing.
        units: how many are drawn, two or more.
    """
    by_runs = [(float(numbers.var(ddof=1)) / len(numbers), len(numbers) - 1) for numbers in runs if len(numbers) > 1]
    drawn = float(replicates.var()) - sum(variance for variance, _ in by_runs)
    parts = [(max(drawn, 0.0) * units / (units - 1), units - 1), *by_runs]
    squared = sum(variance for variance, _ in parts)
    if squared == 0:
        return StandardError(0.0, units - 1)
    freedom = squared**2 / sum(variance**2 / degrees for variance, degrees in parts)
    return StandardError(float(np.sqrt(squared)), freedom)
