"""What replicates agree on: the interval of a number, and whether enough of them say yes."""

from collections.abc import Sequence

import numpy as np

MIN_REPLICATES = 20  # with fewer replicates all of them must agree, and the interval is their whole range
AGREEING = 0.95
COVERED = (2.5, 97.5)  # percentiles


def interval(values: Sequence[float | None]) -> list[float] | None:
    """The 95 % interval of replicated values: percentiles 2.5 and 97.5, or the range of fewer than 20.

    None if fewer than two are numbers.
    """
    numbers = [value for value in values if value is not None]
    if len(numbers) < 2:
        return None
    low, high = np.percentile(numbers, COVERED) if len(numbers) >= MIN_REPLICATES else (min(numbers), max(numbers))
    return [float(low), float(high)]


def agree(share: Sequence[bool], comparisons: int = 1) -> bool:
    """Whether enough replicates say yes: 95 %, or all where there are fewer than 20; never if there is only one.

    Args:
        comparisons: among how many this one was looked for. Chance has as many occasions, so that a share of the 5 % is
            left to each (Bonferroni).
    """
    asked = 1 - (1 - AGREEING) / comparisons
    return len(share) > 1 and sum(share) >= (asked * len(share) if len(share) >= MIN_REPLICATES else len(share))
