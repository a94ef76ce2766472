"""Confidence intervals of Pearson's correlations."""

import math


def fisher(correlation: float, pairs: int, z: float = 1.959964) -> tuple[float, float]:
    """The interval of Pearson's correlation by Fisher's transformation.

        tanh(artanh(r) ± z / sqrt(n - 3))

    Args:
        correlation: between -1 and 1.
        pairs: how many it is of.
        z: the normal quantile, 1.959964 for 95 %.

    Returns:
        (low, high); -1 and 1 of fewer than four pairs, which say nothing.

    Source: Fisher 1921, "On the 'probable error' of a coefficient of correlation deduced from a small sample".
    """
    if pairs < 4:
        return -1.0, 1.0
    if abs(correlation) >= 1:
        return correlation, correlation
    centre, reach = math.atanh(correlation), z / math.sqrt(pairs - 3)
    return math.tanh(centre - reach), math.tanh(centre + reach)
