"""Leaderboards of candidates whose order is known."""

import itertools

import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.leaderboards import leaderboard_chart, leaderboard_table
from repline.evaluation.leaderboards.compare_options import short_names
from repline.evaluation.leaderboards.leaderboard import MIN_UNITS, holm, leaderboard
from repline.evaluation.leaderboards.shared_items import (
    SharedItems,
    accuracy,
    correlation,
    macro_f1,
    mean_answer,
    numbered_units,
    purity,
    single_units,
)


def shared_items(answers, name="mine", statistic=mean_answer, units=None):
    """A test that all candidates can answer, where nothing else is said."""
    answers = {candidate: np.atleast_2d(values) for candidate, values in answers.items()}
    items = next(iter(answers.values())).shape[1]
    units = single_units(items) if units is None else units
    return SharedItems(name, "accuracy", items, dict.fromkeys(answers, items), answers, statistic, units)


def right(share, items=400, seed=0):
    """Answers of which about this share is right."""
    return (np.random.default_rng(seed).random(items) < share).astype(float)


def verdicts(board, test=0):
    return {(row["first"], row["second"]): row["verdict"] for row in board["tests"][test]["differences"]}


def ranks(board, test=0):
    return {row["candidate"]: row["rank"] for row in board["tests"][test]["standings"]}


def test_identical_candidates_are_undecided_and_share_a_rank():
    answers = right(0.6)
    board = leaderboard([shared_items({"a": answers, "b": answers.copy()})])
    (difference,) = board["tests"][0]["differences"]
    assert (difference["difference"], difference["interval"], difference["adjusted_p"]) == (0, [0, 0], 1)
    assert verdicts(board) == {("a", "b"): "undecided"}
    assert ranks(board) == {"a": 1, "b": 1}


def test_a_better_candidate_is_above_in_the_order_of_the_command():
    board = leaderboard(
        [shared_items({"poor": right(0.4), "good": right(0.9, seed=1), "also poor": right(0.4, seed=2)})]
    )
    assert verdicts(board) == {
        ("poor", "good"): "fails",
        ("poor", "also poor"): "undecided",
        ("good", "also poor"): "holds",
    }
    assert ranks(board) == {"good": 1, "poor": 2, "also poor": 2}
    assert board["tests"][0]["standings"][0]["candidate"] == "good"


def test_a_small_paired_difference_is_decided_where_an_unpaired_one_would_not_be():
    worse = right(0.5)
    better = worse.copy()
    better[np.flatnonzero(worse == 0)[:20]] = 1  # 5 % more, and never worse
    (difference,) = leaderboard([shared_items({"better": better, "worse": worse})])["tests"][0]["differences"]
    assert difference["verdict"] == "holds" and difference["difference"] == pytest.approx(0.05)
    unpaired = leaderboard([shared_items({"better": np.random.default_rng(3).permutation(better), "worse": worse})])
    assert verdicts(unpaired) == {("better", "worse"): "undecided"}


def test_the_interval_is_that_of_theory():
    first, second = right(0.7, 1000), right(0.5, 1000, seed=1)
    (difference,) = leaderboard([shared_items({"first": first, "second": second})])["tests"][0]["differences"]
    half = 1.96 * (first - second).std() / np.sqrt(1000)
    expected = difference["difference"] - half, difference["difference"] + half
    assert difference["interval"] == pytest.approx(expected, abs=0.006)


def test_items_that_share_a_unit_are_drawn_together():
    """400 questions about 12 words, of which the candidates answer all alike, say little more than 12 questions."""
    words = np.arange(400) % 12
    better = np.isin(words, (0, 1, 2, 3, 4)).astype(float)
    worse = np.isin(words, (0, 1, 2)).astype(float)
    together = leaderboard([shared_items({"better": better, "worse": worse}, units=numbered_units(words))])
    alone = leaderboard([shared_items({"better": better, "worse": worse})])
    assert verdicts(alone) == {("better", "worse"): "holds"}
    assert verdicts(together) == {("better", "worse"): "undecided"}


def test_few_units_decide_nothing():
    few = {"good": np.ones(MIN_UNITS - 1), "poor": np.zeros(MIN_UNITS - 1)}
    enough = {"good": np.ones(MIN_UNITS), "poor": np.zeros(MIN_UNITS)}
    assert verdicts(leaderboard([shared_items(few)])) == {("good", "poor"): "undecided"}
    assert verdicts(leaderboard([shared_items(enough)])) == {("good", "poor"): "holds"}


def test_ten_units_that_agree_are_ten_tosses_of_a_coin():
    sides = {"good": np.ones(MIN_UNITS), "poor": np.zeros(MIN_UNITS)}
    board = leaderboard([shared_items(sides, name=str(number)) for number in range(30)], replicates=20)
    assert board["tests"][0]["differences"][0]["p"] == pytest.approx(2 * 0.5**MIN_UNITS)
    assert verdicts(board) == {("good", "poor"): "undecided"}  # one of 30 such would be no wonder


def test_seeds_are_drawn_too():
    """Two runs that differ much leave open what one would decide."""
    steady, runs = right(0.5), np.stack([right(0.9, seed=1), right(0.15, seed=2)])
    assert verdicts(leaderboard([shared_items({"runs": runs[:1], "steady": steady})])) == {("runs", "steady"): "holds"}
    assert verdicts(leaderboard([shared_items({"runs": runs, "steady": steady})])) == {("runs", "steady"): "undecided"}


def test_two_seeds_do_not_decide_where_nothing_but_seeds_differs():
    """Of alike candidates whose seeds vary far more than items do, about one pair in twenty is told apart.

    By a normal distribution it would be almost one in three.
    """
    random = np.random.default_rng(0)
    decided = 0
    for _ in range(100):
        answers = {name: random.normal(size=(2, 1)) + 0.01 * random.normal(size=(2, 12)) for name in ("a", "b")}
        decided += verdicts(leaderboard([shared_items(answers)], replicates=60)) != {("a", "b"): "undecided"}
    assert decided <= 12


def test_more_comparisons_ask_for_more():
    """A difference that is decided alone is undecided as one of a hundred."""
    worse = right(0.5)
    better = worse.copy()
    better[np.flatnonzero(worse == 0)[:6]] = 1
    clear = shared_items({"better": better, "worse": worse})
    same = [shared_items({"better": worse, "worse": worse}, name=str(number)) for number in range(99)]
    assert verdicts(leaderboard([clear])) == {("better", "worse"): "holds"}
    many = leaderboard([clear, *same], replicates=500)
    assert verdicts(many) == {("better", "worse"): "undecided"}
    assert many["tests"][0]["differences"][0]["p"] < 0.05


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1, 1] and holm([]) == []


def test_chance_alone_decides_rarely():
    """Of 100 leaderboards of five equal candidates, about five or fewer decide anything."""
    random = np.random.default_rng(0)
    decided = 0
    for _ in range(100):
        board = leaderboard([shared_items({name: random.random(60) < 0.5 for name in "abcde"})], replicates=300)
        decided += any(row["verdict"] != "undecided" for row in board["tests"][0]["differences"])
    assert decided <= 10


def test_who_is_between_two_that_are_told_apart_is_in_their_rank():
    base = right(0.5, 400)
    zeros = np.flatnonzero(base == 0)
    middle, high = base.copy(), base.copy()
    middle[zeros[:3]] = 1
    high[zeros[:6]] = 1
    board = leaderboard([shared_items({"low": base, "middle": middle, "high": high})])
    assert verdicts(board) == {
        ("low", "middle"): "undecided",
        ("low", "high"): "fails",
        ("middle", "high"): "undecided",
    }
    assert set(ranks(board).values()) == {1}


def test_different_coverage_is_shown_and_a_test_without_shared_items_is_named():
    answers = {"wide": np.ones((1, 40)), "narrow": np.zeros((1, 40))}
    judged = SharedItems("some", "accuracy", 90, {"wide": 90, "narrow": 40}, answers, mean_answer, single_units(40))
    none = {name: values[:, :0] for name, values in answers.items()}
    empty = SharedItems("none", "accuracy", 9, {"wide": 9, "narrow": 0}, none, mean_answer, single_units(0))
    board = leaderboard([judged, empty])
    assert board["without_shared_items"] == ["none"]
    assert {row["candidate"]: row["answered"] for row in board["tests"][0]["standings"]} == {"wide": 90, "narrow": 40}
    text = leaderboard_table.as_text(board)
    assert "some: accuracy on 40 shared items of 90" in text and "40 of 90" in text and "90 of 90" in text
    assert "wide above narrow: holds" in text
    assert "none: no item that all candidates can answer" in text
    with pytest.raises(InputError, match="no test has an item that all of wide, narrow can answer"):
        leaderboard([empty])
    with pytest.raises(InputError, match="expected two candidates or more, found 'a'"):
        leaderboard([shared_items({"a": right(0.5)})])


def test_statistics_are_those_of_items_that_are_repeated():
    """A weight of 3 is the item thrice."""
    random = np.random.default_rng(0)
    gold, answers = random.integers(3, size=30), random.integers(3, size=30)
    scores, cosines, files = random.normal(size=30), random.normal(size=30), np.repeat([0, 1], 15)
    weights = random.integers(1, 4, size=(1, 30))
    repeated = np.repeat(np.arange(30), weights[0])
    once = np.ones((1, len(repeated)), dtype=int)
    for statistic, values in (
        (lambda rows: accuracy(gold[rows]), answers),
        (lambda rows: macro_f1(gold[rows], 3), answers),
        (lambda rows: purity(gold[rows]), answers),
        (lambda rows: correlation(scores[rows], by_rank=True), cosines),
        (lambda rows: correlation(scores[rows], by_rank=False, files=files[rows]), cosines),
    ):
        whole = np.arange(30)
        weighted = statistic(whole)(values, weights)
        assert weighted == pytest.approx(statistic(repeated)(values[repeated], once))
    assert purity(gold)(gold, np.ones((1, 30), dtype=int)) == pytest.approx([1])


def test_the_chart_shows_each_pair_with_its_verdict(tmp_path):
    board = leaderboard([shared_items({"a": right(0.9), "b": right(0.4, seed=1), "c": right(0.4, seed=2)})])
    figure = leaderboard_chart.chart(board)
    shown = {(trace.name, label) for trace in figure.data for label in trace.y}
    assert shown == {("holds", "a above b "), ("holds", "a above c "), ("undecided", "b above c ")}
    leaderboard_chart.write_chart(board, tmp_path / "board.html")
    assert "src=" not in (tmp_path / "board.html").read_text(encoding="utf-8").split("<body>")[0]
    with pytest.raises(InputError, match=r"expected a name that ends in .html"):
        leaderboard_chart.write_chart(board, tmp_path / "board.png")


def test_names_are_as_short_as_they_differ():
    assert short_names(["data/a/seed-0", "data/b/seed-0"]) == ["a/seed-0", "b/seed-0"]
    assert short_names(["x.txt", "data/x.txt"]) == ["x.txt", "data/x.txt"]
    assert all(len(set(short_names(pair))) == 2 for pair in itertools.permutations(["a", "a/b", "a/b/c"], 2))
