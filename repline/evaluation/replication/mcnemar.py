"""Whether two methods answer the same questions right equally often."""

from numpy.typing import NDArray
from scipy.stats import binomtest


def mcnemar(first: NDArray, second: NDArray) -> float:
    """The exact p of McNemar's test that two methods are right equally often: [n] each, 1 for a right answer."""
    only = int((first > second).sum()), int((first < second).sum())
    return float(binomtest(only[0], sum(only)).pvalue) if sum(only) else 1.0
