"""Who is above whom: differences of candidates on shared items, with intervals, verdicts and ranks.

All candidates are measured on the same resamples of the same items, so a difference is paired. The verdict on a pair
of candidates comes from the two-sided p of the difference d and its standard error s over the resamples,

    p = 2 (1 - F(|d| / s)),    F of Student's t with f degrees of freedom
    f = (v_1 + v_2 + ...)^2 / (v_1^2 / (n_1 - 1) + v_2^2 / (n_2 - 1) + ...),    s^2 = v_1 + v_2 + ...

where v_1 is the variance by n_1 units, and v_2 and further ones are those by the runs (seeds) of the candidates: the
spread of two or three runs is known so badly that a normal distribution would decide far too often. It is adjusted by
Holm's method for all pairs of all tests of the leaderboard, so that the chance that any of its "holds" and "fails" is
wrong is about 5 %. Intervals are those of each difference alone.

Source: Efron & Tibshirani 1993, "An Introduction to the Bootstrap", chapters 12 and 13; Satterthwaite 1946, "An
approximate distribution of estimates of variance components"; Holm 1979, "A simple sequentially rejective multiple
test procedure".
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from repline.errors import InputError, shown
from repline.evaluation.leaderboards.shared_items import SharedItems
from repline.evaluation.replication.bootstrap import drawn_items, drawn_runs
from repline.evaluation.replication.intervals import COVERED

Verdict = Literal["holds", "fails", "undecided"]
REPLICATES = 2000
LEVEL = 0.05  # the chance that some verdict of a leaderboard is wrong, where all candidates are alike
MIN_UNITS = 10  # with fewer independent units nothing is decided
BLOCK = 250  # replicates whose weights are in memory at once


class Standing(TypedDict):
    """A candidate in a test: its number on the shared items, its rank group, and how many items it can answer."""

    candidate: str
    value: float
    rank: int
    answered: int


class Difference(TypedDict):
    """Whether the first of two candidates is above the second: value of the first minus that of the second."""

    first: str
    second: str
    difference: float
    interval: list[float]
    p: float
    adjusted_p: float
    verdict: Verdict


class TestBoard(TypedDict):
    """The candidates in one test, the best first, and each pair of them in the order of the command."""

    test: str
    measure: str
    items: int
    shared: int
    standings: list[Standing]
    differences: list[Difference]


class Leaderboard(TypedDict):
    """All tests, by what rule the verdicts are, and the tests without an item that all candidates can answer."""

    level: float
    correction: str
    replicates: int
    tests: list[TestBoard]
    without_shared_items: list[str]


def leaderboard(tests: Sequence[SharedItems], replicates: int = REPLICATES) -> Leaderboard:
    """Compare the candidates of some tests pair by pair.

    Raises:
        InputError: a test has fewer than two candidates, or no test has an item that all of them can answer.
    """
    for test in tests:
        if len(test.answers) < 2:
            raise InputError(f"{test.test}: expected two candidates or more, found {shown(', '.join(test.answers))}")
    if not any(test.shared for test in tests):
        names = ", ".join(next(iter(tests)).answers) if tests else "the candidates"
        raise InputError(f"no test has an item that all of {names} can answer")
    boards = [_compared(test, replicates) for test in tests if test.shared]
    differences = [difference for board in boards for difference in board["differences"]]
    for difference, adjusted in zip(differences, holm([row["p"] for row in differences]), strict=True):
        difference["adjusted_p"] = adjusted
        if adjusted < LEVEL:
            difference["verdict"] = "holds" if difference["difference"] > 0 else "fails"
    for board in boards:
        board["standings"] = _ranked(board["standings"], board["differences"])
    return {
        "level": LEVEL,
        "correction": "Holm",
        "replicates": replicates,
        "tests": boards,
        "without_shared_items": [test.test for test in tests if not test.shared],
    }


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for their number: the k-th smallest of m times m - k + 1, never below a smaller one, at most 1.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, largest = [0.0] * len(p_values), 0.0
    for step, number in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[number]))
        adjusted[number] = largest
    return adjusted


def _compared(test: SharedItems, replicates: int) -> TestBoard:
    everything = np.ones((1, test.shared), dtype=np.int64)
    by_run = {
        candidate: np.array([test.statistic(run, everything)[0] for run in runs])
        for candidate, runs in test.answers.items()
    }
    values = {candidate: float(numbers.mean()) for candidate, numbers in by_run.items()}
    resampled = _resampled(test, replicates)
    units = len(np.unique(test.units))
    differences = []
    for first, second in itertools.combinations(test.answers, 2):
        gaps = np.nan_to_num(resampled[first] - resampled[second])
        low, high = np.percentile(gaps, COVERED)
        difference = values[first] - values[second]
        differences.append(
            Difference(
                first=first,
                second=second,
                difference=difference,
                interval=[float(low), float(high)],
                p=1.0 if units < MIN_UNITS else _two_sided(difference, gaps, by_run[first], by_run[second], units),
                adjusted_p=1.0,
                verdict="undecided",
            )
        )
    standings = [
        Standing(candidate=candidate, value=value, rank=1, answered=test.answered[candidate])
        for candidate, value in values.items()
    ]
    return TestBoard(
        test=test.test,
        measure=test.measure,
        items=test.items,
        shared=test.shared,
        standings=standings,
        differences=differences,
    )


def _resampled(test: SharedItems, replicates: int) -> Mapping[str, NDArray[np.float64]]:
    """The number of each candidate in each replicate [R]; all have the same draws of units and of runs."""
    units = int(test.units.max()) + 1
    blocks: dict[str, list[NDArray[np.float64]]] = {candidate: [] for candidate in test.answers}
    for start in range(0, replicates, BLOCK):
        block = range(start, min(start + BLOCK, replicates))
        drawn = np.stack([np.bincount(drawn_items(units, replicate), minlength=units) for replicate in block])
        weights = drawn[:, test.units].prod(axis=2)  # [block, n]
        for candidate, runs in test.answers.items():
            by_run = np.stack([test.statistic(run, weights) for run in runs])  # [runs, block]
            run_numbers = np.stack([drawn_runs(len(runs), replicate) for replicate in block])  # [block, runs]
            blocks[candidate].append(np.take_along_axis(by_run.T, run_numbers, axis=1).mean(axis=1))
    return {candidate: np.concatenate(parts) for candidate, parts in blocks.items()}


def _two_sided(
    difference: float, gaps: NDArray[np.float64], first: NDArray[np.float64], second: NDArray[np.float64], units: int
) -> float:
    """The chance of a difference at least so large, either way, where there is none.

    It is never below 2^(1 - n) of n units, that of n tosses of a coin which all fall on one side.

    Args:
        gaps: the difference in each replicate [R].
        first, second: the numbers of the runs of both candidates; of as many runs, those with the same draw are pairs.
        units: how many are drawn.
    """
    sides = [first - second] if len(first) == len(second) else [first, second]
    runs = [(float(side.var(ddof=1)) / len(side), len(side) - 1) for side in sides if len(side) > 1]
    by_units = max(float(gaps.var()) - sum(variance for variance, _ in runs), 0.0) * units / (units - 1)
    parts = [(by_units, units - 1), *runs]
    squared_error = sum(variance for variance, _ in parts)
    least = 2.0 ** (1 - units)
    if squared_error == 0:
        return 1.0 if difference == 0 else least
    freedom = squared_error**2 / sum(variance**2 / degrees for variance, degrees in parts)
    return max(least, float(2 * student.sf(abs(difference) / np.sqrt(squared_error), freedom)))


def _ranked(standings: Sequence[Standing], differences: Sequence[Difference]) -> list[Standing]:
    """The best first; a new group begins where everyone above is told apart from everyone below."""
    ordered = sorted(standings, key=lambda standing: -standing["value"])
    decided = {frozenset((row["first"], row["second"])) for row in differences if row["verdict"] != "undecided"}
    rank = 1
    for number, standing in enumerate(ordered):
        above, below = ordered[:number], ordered[number:]
        pairs = itertools.product((row["candidate"] for row in above), (row["candidate"] for row in below))
        if all(frozenset(pair) in decided for pair in pairs):
            rank = number + 1
        standing["rank"] = rank
    return ordered
