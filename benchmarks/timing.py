"""Paired timings: the two sides in turn, so that a noisy machine disturbs both alike; and their results."""

import statistics
import time
from collections.abc import Callable
from typing import TypedDict


class Comparison(TypedDict):
    """How many times faster than its peer a part is, and how many times it should be."""

    comparison: str
    ratio: float
    goal: float | None


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


def line(what: str, ours: float, peer: float, goal: float | None = None) -> None:
    """Print and keep one comparison: seconds of both sides, how many times faster, and the goal."""
    aim = f"   (goal {goal:g}x)" if goal else ""
    print(f"{what:<72} {ours * 1e3:>10.1f} ms {peer * 1e3:>10.1f} ms {peer / ours:>7.1f}x{aim}", flush=True)
    keep(what, peer / ours, goal)


def keep(what: str, ratio: float, goal: float | None = None) -> None:
    """Keep the outcome of a comparison: how many times faster (or whatever `what` says) than the peer."""
    comparisons.append({"comparison": what, "ratio": float(f"{ratio:.3g}"), "goal": goal})
