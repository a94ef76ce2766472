"""How many times the replicated units would decide a claim that is undecided."""

from repline.evaluation.replication.intervals import MIN_REPLICATES
from repline.report.result_records import MeasuredClaim

DECIDING = 1.645  # standard deviations of a margin that 95 % of its replicates agree on
HALF_WIDTH = 1.96  # standard deviations on either side in the interval
MOST = 100


def times_the_units(claim: MeasuredClaim) -> float | None:
    """How many times as many independent units (items, seeds) would decide a claim, if its margin stays as it is.

        (1.645 s / margin)^2,   s = (high - low) / (2 * 1.96)

    The interval of a margin shrinks with the square root of the number of units, where all kinds of units are added
    alike.

    Returns:
        None for a claim that is decided, that rests on a training which had not converged, that has too few replicates
        for an interval, or whose margin is zero.
    """
    interval, margin = claim.get("interval"), claim.get("margin", 0.0)
    undecided = claim["verdict"] == "undecided" and "reason" not in claim
    if not undecided or not interval or not margin or claim.get("replicates", 0) < MIN_REPLICATES:
        return None
    deviation = (interval[1] - interval[0]) / (2 * HALF_WIDTH)
    return (DECIDING * deviation / margin) ** 2


def in_words(claim: MeasuredClaim) -> str:
    """What would decide a claim, or why it is undecided; empty where neither is known, and for other verdicts.

    Replicates are not normally distributed, so a claim may be undecided though the formula asks for no more units.
    """
    times = times_the_units(claim)
    if times is None:
        return claim.get("reason", "") if claim["verdict"] == "undecided" else ""
    if times > MOST:
        return f"more than {MOST} times the units would decide it"
    if times <= 1.1:
        return "a few more units would decide it"
    return f"{times:.2g} times the units would decide it"
