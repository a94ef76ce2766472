"""Who is above whom: differences of candidates on shared items, with intervals, verdicts and ranks.

All candidates are measured on the same resamples of the same items, so a difference is paired. The verdict on a pair
of candidates comes from the two-sided p of the difference d and its standard error s over the resamples,

    p = 2 (1 - F(|d| / s)),    F of Student's t with f degrees of freedom

where s and f are those of `repline.evaluation.replication.standard_error`: the spread of two or three runs (seeds) is
known so badly that a normal distribution would decide far too often. It is adjusted by Holm's method for all pairs of
all tests of the leaderboard, so that the chance that any of its "holds" and "fails" is wrong is about 5 %. Intervals
are those of each difference alone: percentiles of the resamples, and at least d - t s to d + t s with the same t, for
percentiles alone are too narrow with few units or runs.

A difference has no verdict where resampling cannot judge it: of fewer than ten units, of a number that is undefined
for a candidate or in more than 1 % of the resamples, or of a test whose items cannot be resampled. It has no interval
and no p then, and Holm's method does not count it.

Source: Efron & Tibshirani 1993, "An Introduction to the Bootstrap", chapters 12 and 13; Holm 1979, "A simple
sequentially rejective multiple test procedure".
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, shown
from repline.evaluation.leaderboards.shared_items import SharedItems
from repline.evaluation.replication.bootstrap import drawn_runs
from repline.evaluation.replication.intervals import COVERED
from repline.evaluation.replication.standard_error import standard_error
from repline.evaluation.replication.units import NO_UNIT, draws_of_units

Verdict = Literal["holds", "fails", "undecided"]
REPLICATES = 2000
LEVEL = 0.05  # the chance that some verdict of a leaderboard is wrong, where all candidates are alike
MIN_UNITS = 10  # with fewer independent units nothing is decided
MIN_DEFINED = 0.99  # of the resamples; a difference that is undefined in more of them hangs on a few items
BLOCK = 250  # replicates whose weights are in memory at once


class Standing(TypedDict):
    """A candidate in a test: its number on the shared items, its rank group, and how many items it can answer.

    The value is None where it is undefined, the rank where no difference of the candidate has a verdict.
    """

    candidate: str
    value: float | None
    rank: int | None
    answered: int


class Difference(TypedDict):
    """Whether the first of two candidates is above the second: value of the first minus that of the second.

    Interval, p, adjusted p and verdict are None where resampling cannot judge the difference, which is None itself
    where a value is undefined. `resamples` are those in which it is defined.
    """

    first: str
    second: str
    difference: float | None
    interval: list[float] | None
    p: float | None
    adjusted_p: float | None
    verdict: Verdict | None
    resamples: int


class TestBoard(TypedDict):
    """The candidates in one test, the best first, and each pair of them in the order of the command.

    `notes` are sentences that a reader of the numbers has to know, as why a difference has no verdict.
    """

    test: str
    measure: str
    items: int
    shared: int
    notes: list[str]
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
    rows = [row for board in boards for row in board["differences"]]
    judged = [
        (row, p, difference)
        for row in rows
        if (p := row["p"]) is not None and (difference := row["difference"]) is not None
    ]
    for (row, _, difference), adjusted in zip(judged, holm([p for _, p, _ in judged]), strict=True):
        row["adjusted_p"] = adjusted
        if adjusted < LEVEL:
            row["verdict"] = "holds" if difference > 0 else "fails"
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
    values = {candidate: _number(float(numbers.mean())) for candidate, numbers in by_run.items()}
    notes = list(test.notes)
    units = len(np.unique(test.units[test.units != NO_UNIT]))
    resampled: Mapping[str, NDArray[np.float64]] = {}
    if test.why_no_verdict:
        notes.append(test.why_no_verdict)
    elif units < MIN_UNITS:
        there = "1 independent unit is" if units == 1 else f"{units} independent units are"
        notes.append(f"No verdicts: {there} fewer than {MIN_UNITS}.")
    else:
        resampled = _resampled(test, replicates)
    differences = []
    for first, second in itertools.combinations(test.answers, 2):
        difference = Difference(
            first=first,
            second=second,
            difference=None,
            interval=None,
            p=None,
            adjusted_p=None,
            verdict=None,
            resamples=0,
        )
        differences.append(difference)
        if (above := values[first]) is None or (below := values[second]) is None:
            continue
        difference["difference"] = above - below
        if not resampled:
            continue
        gaps = resampled[first] - resampled[second]
        gaps = gaps[np.isfinite(gaps)]
        difference["resamples"] = len(gaps)
        if len(gaps) < MIN_DEFINED * replicates:
            continue
        low, high = np.percentile(gaps, COVERED)
        error = standard_error(gaps, _drawn_together(by_run[first], by_run[second]), units)
        half = error.half_interval()
        difference["interval"] = [min(float(low), above - below - half), max(float(high), above - below + half)]
        difference["p"] = error.two_sided(above - below, units)
        difference["verdict"] = "undecided"
    notes += _notes_on_undefined(values, differences, replicates if resampled else 0)
    standings = [
        Standing(candidate=candidate, value=value, rank=None, answered=test.answered[candidate])
        for candidate, value in values.items()
    ]
    return TestBoard(
        test=test.test,
        measure=test.measure,
        items=test.items,
        shared=test.shared,
        notes=notes,
        standings=standings,
        differences=differences,
    )


def _drawn_together(first: NDArray[np.float64], second: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The numbers of the runs of two candidates; of as many runs, those with the same draw are pairs."""
    return [first - second] if len(first) == len(second) else [first, second]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value


def _notes_on_undefined(
    values: Mapping[str, float | None], differences: Sequence[Difference], replicates: int
) -> list[str]:
    """Which values are undefined, and in how many resamples the other differences are."""
    notes = []
    if undefined := [candidate for candidate, value in values.items() if value is None]:
        which = "any candidate" if len(undefined) == len(values) else ", ".join(undefined)
        notes.append(f"The number of {which} is undefined: too few items, or all answers or scores are equal.")
    left_out = [replicates - row["resamples"] for row in differences if row["difference"] is not None]
    if most_left_out := max(left_out, default=0):
        resample_count = f"up to {most_left_out:,}" if min(left_out) < most_left_out else f"{most_left_out:,}"
        notes.append(
            f"Left out: {resample_count} of {replicates:,} resamples of a difference, in which it is undefined."
        )
    if any(row["difference"] is not None and row["resamples"] < MIN_DEFINED * replicates for row in differences):
        notes.append(
            f"No verdict on a difference that is undefined in more than {1 - MIN_DEFINED:.0%} of them: "
            "a few items decide it."
        )
    return notes


def _resampled(test: SharedItems, replicates: int) -> Mapping[str, NDArray[np.float64]]:
    """The number of each candidate in each replicate [R]; all have the same draws of units.

    Those with as many runs have the same draws of them, for a number is a seed. Draws of two and of four runs are
    independent: of one stream, the first run of two would come with the first two of four.
    """
    blocks: dict[str, list[NDArray[np.float64]]] = {candidate: [] for candidate in test.answers}
    for start in range(0, replicates, BLOCK):
        block = range(start, min(start + BLOCK, replicates))
        weights = draws_of_units(test.units, block)
        for candidate, runs in test.answers.items():
            by_run = np.stack([test.statistic(run, weights) for run in runs])  # [runs, block]
            stream = len(runs) * replicates
            run_numbers = np.stack([drawn_runs(len(runs), stream + replicate) for replicate in block])  # [block, runs]
            blocks[candidate].append(np.take_along_axis(by_run.T, run_numbers, axis=1).mean(axis=1))
    return {candidate: np.concatenate(parts) for candidate, parts in blocks.items()}


def _ranked(standings: Sequence[Standing], differences: Sequence[Difference]) -> list[Standing]:
    """The best first; a new group begins where everyone above is told apart from everyone below.

    Who has no difference with a verdict has no rank, and who has no value comes last.
    """
    judged = {name for row in differences if row["verdict"] for name in (row["first"], row["second"])}
    decided = {frozenset((row["first"], row["second"])) for row in differences if row["verdict"] in ("holds", "fails")}
    ordered = sorted(
        standings, key=lambda standing: -np.inf if standing["value"] is None else standing["value"], reverse=True
    )
    ranked = [standing for standing in ordered if standing["candidate"] in judged]
    rank = 1
    for number, standing in enumerate(ranked):
        above, below = ranked[:number], ranked[number:]
        pairs = itertools.product((row["candidate"] for row in above), (row["candidate"] for row in below))
        if all(frozenset(pair) in decided for pair in pairs):
            rank = number + 1
        standing["rank"] = rank
    return ordered
