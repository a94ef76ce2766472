"""Confidence intervals of shares."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def wilson(successes: ArrayLike, trials: ArrayLike, z: float = 1.959964) -> tuple[NDArray, NDArray]:
    """The Wilson score interval of a binomial share.

        (p + z^2/2n ± z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n),   p = successes / n

    Args:
        successes: counts, any shape.
        trials: counts of the same (or a broadcastable) shape; each at least its successes.
        z: the normal quantile, 1.959964 for 95 %.

    Returns:
        (low, high), each of the broadcast shape; NaN where there was no trial.

    Raises:
        ValueError: a negative count, or more successes than trials.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference", JASA 22(158).
    """
    successes, trials = np.broadcast_arrays(np.asarray(successes, dtype=float), np.asarray(trials, dtype=float))
    if (successes < 0).any() or (successes > trials).any():
        raise ValueError("expected 0 <= successes <= trials in every place")
    n = np.where(trials > 0, trials, np.nan)
    share = successes / n
    centre = share + z**2 / (2 * n)
    reach = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    scale = 1 + z**2 / n
    # at 0 and n successes the bound is exactly 0 and 1, which rounding misses by an ulp
    low = np.where(successes == 0, np.where(trials > 0, 0.0, np.nan), (centre - reach) / scale)
    high = np.where((successes == trials) & (trials > 0), 1.0, (centre + reach) / scale)
    return low, high


def at_least_wilson(low: float, high: float, share: float, trials: int) -> tuple[float, float]:
    """An interval of a share of `trials`, widened where the Wilson score interval is wider.

    Resampled items alone say nothing of errors that a small test happens not to have.

    >>> low, high = at_least_wilson(1.0, 1.0, share=1.0, trials=12)
    >>> round(low, 3), high
    (0.758, 1.0)
    """
    least, most = wilson(round(share * trials), trials)
    return min(low, float(least)), max(high, float(most))
