"""Paired timings: the two sides in turn, so that a noisy machine disturbs both alike; and their results."""

import statistics
import time
from collections.abc import Callable
from typing import NotRequired, TypedDict

LESS_IS_BETTER = "(less is better)"  # at the end of a comparison


class Comparison(TypedDict):
    """How many times faster than its peer a part is, how many times it should be, and what keeps it from that."""

    comparison: str
    ratio: float
    goal: float | None
    limit: NotRequired[str]


def reaches_its_goal(row: Comparison) -> bool:
    """Whether the ratio is as good as the goal; true where there is none."""
    if row["goal"] is None:
        return True
    return row["ratio"] <= row["goal"] if LESS_IS_BETTER in row["comparison"] else row["ratio"] >= row["goal"]


comparisons: list[Comparison] = []  # of the benchmark that runs now


def paired(ours: Callable[[], object], peer: Callable[[], object], rounds: int = 5) -> tuple[float, float]:
    """Median seconds of each side over `rounds` alternating calls, after one warm-up of each."""
    ours(), peer()
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for side, call in zip(seconds, (ours, peer), strict=True):
            started = time.perf_counter()
            call()
            side.append(time.perf_counter() - started)
    return statistics.median(seconds[0]), statistics.median(seconds[1])


def line(what: str, ours: float, peer: float, goal: float | None = None, limit: str = "") -> None:
    """Print and keep one comparison: seconds of both sides, how many times faster, the goal, and see `keep`."""
    aim = f"   (goal {goal:g}x)" if goal else ""
    print(f"{what:<72} {ours * 1e3:>10.1f} ms {peer * 1e3:>10.1f} ms {peer / ours:>7.1f}x{aim}", flush=True)
    keep(what, peer / ours, goal, limit)


def keep(what: str, ratio: float, goal: float | None = None, limit: str = "") -> None:
    """Keep the outcome of a comparison: how many times faster (or whatever `what` says) than the peer.

    Args:
        limit: what keeps the ratio below its goal, by a profile; kept where it is below.
    """
    row: Comparison = {"comparison": what, "ratio": float(f"{ratio:.3g}"), "goal": goal}
    if limit and not reaches_its_goal(row):
        row["limit"] = limit
    comparisons.append(row)
