"""Leaderboards of candidates whose order is known."""

import itertools
import json
import re
from dataclasses import replace

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
    notes_on_files,
    purity,
)
from repline.evaluation.replication.units import NO_UNIT, numbered_units, pair_units, single_units


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


def test_intervals_of_few_seeds_cover_the_difference():
    """The interval of networks that differ by their two seeds alone has the true difference, 0, in about 95 %.

    Percentiles of the resamples alone had it in 61 of these 100.
    """
    random = np.random.default_rng(0)
    covered = 0
    for _ in range(100):
        answers = {name: random.normal(size=(2, 1)) + random.normal(size=(2, 100)) for name in ("a", "b")}
        (row,) = leaderboard([shared_items(answers)], replicates=100)["tests"][0]["differences"]
        covered += row["interval"][0] <= 0 <= row["interval"][1]
    assert covered >= 88


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
    assert verdicts(leaderboard([shared_items(few)])) == {("good", "poor"): None}
    assert verdicts(leaderboard([shared_items(enough)])) == {("good", "poor"): "holds"}
    (test,) = leaderboard([shared_items(few, units=numbered_units(["a"] * (MIN_UNITS - 1)))])["tests"]
    assert test["notes"] == ["No verdicts: 1 independent unit is fewer than 10."]


def test_what_cannot_be_resampled_has_values_and_no_verdict():
    """A test without verdicts shows its reason once, and does not count in the adjustment of the others."""
    judged = shared_items({"good": right(0.7), "poor": right(0.6, seed=1)}, name="judged")
    few = shared_items({"good": np.ones(9), "poor": np.zeros(9)}, name="few")
    clusters = replace(shared_items({"good": right(0.9), "poor": right(0.1)}), why_no_verdict="Clusters move.")
    alone = leaderboard([judged])["tests"][0]["differences"]
    board = leaderboard([clusters, judged, few])
    assert board["tests"][1]["differences"] == alone
    for test in (board["tests"][0], board["tests"][2]):
        (row,) = test["differences"]
        assert row["difference"] is not None and row["difference"] > 0.5 and row["resamples"] == 0
        assert (row["interval"], row["p"], row["adjusted_p"], row["verdict"]) == (None, None, None, None)
        assert [(row["candidate"], row["rank"]) for row in test["standings"]] == [("good", None), ("poor", None)]
    text = leaderboard_table.as_text(board)
    assert text.count("Clusters move.") == 1 and "9 independent units are fewer than 10" in text
    assert re.search(r"\+0\.\d{4}  -  p -  good above poor: -\n", text) and "adjusted for one comparison" in text
    assert "No difference has a verdict." in leaderboard_table.as_text(leaderboard([clusters]))
    json.dumps(board, allow_nan=False)


def test_an_undefined_correlation_is_no_zero():
    """Two pairs, equal scores or equal answers have no correlation, and no verdict; other candidates keep theirs."""
    random = np.random.default_rng(0)
    scores = random.normal(size=40)
    near, far, flat = scores + 0.1 * random.normal(size=40), random.normal(size=40), np.ones(40)
    answers = {"flat": flat, "near": near, "far": far}
    board = leaderboard([shared_items(answers, statistic=correlation(scores, by_rank=True))])
    (test,) = board["tests"]
    assert [(row["candidate"], row["rank"]) for row in test["standings"]] == [("near", 1), ("far", 2), ("flat", None)]
    assert test["standings"][2]["value"] is None and ranks(board)["flat"] is None
    assert verdicts(board) == {("flat", "near"): None, ("flat", "far"): None, ("near", "far"): "holds"}
    text = leaderboard_table.as_text(board)
    assert "The number of flat is undefined" in text and re.search(r"\n  -     flat       -       40 of 40\n", text)
    json.dumps(board, allow_nan=False)
    for gold, size in ((scores, 2), (np.ones(40), 40)):
        rows = {name: values[:size] for name, values in answers.items() if name != "flat"}
        (test,) = leaderboard([shared_items(rows, statistic=correlation(gold[:size], by_rank=False))])["tests"]
        assert [row["value"] for row in test["standings"]] == [None, None]
        assert [row["difference"] for row in test["differences"]] == [None]
        assert "The number of any candidate is undefined" in test["notes"][-1]


def test_resamples_without_a_correlation_are_left_out_and_counted():
    """A resample that misses the few scores which differ has none; where many miss them, nothing is judged.

    With one score that differs, a verdict would be wrong in four boards of ten, and with two in one of six.
    """
    random = np.random.default_rng(0)
    answers = {name: random.normal(size=40) for name in "ab"}
    for different in (1, 2, 5):
        scores = (np.arange(40) < different).astype(float)
        (test,) = leaderboard([shared_items(answers, statistic=correlation(scores, by_rank=True))])["tests"]
        (row,) = test["differences"]
        share = 1 - (1 - different / 40) ** 40
        assert row["resamples"] / 2000 == pytest.approx(share, abs=0.03)
        assert (row["verdict"] is None) == (row["interval"] is None) == (different < 5)
        assert f"Left out: {2000 - row['resamples']:,} of 2,000 resamples" in test["notes"][0]
        assert ("No verdict on a difference" in test["notes"][-1]) == (different < 5)


def test_files_without_a_correlation_are_left_out_of_the_mean():
    files = np.repeat([0, 1, 2], [20, 2, 5])
    scores = np.concatenate([np.arange(20.0), [1.0, 2.0], np.ones(5)])
    statistic = correlation(scores, by_rank=True, files=files)
    assert statistic(scores + np.arange(27) / 100, np.ones((1, 27))) == pytest.approx([1])
    (note,) = notes_on_files(scores, files)
    assert note.startswith("The mean is over 1 of 3 files or relations; the rest has fewer than 3")


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
    """About one pair in twenty of equal candidates is told apart where seeds vary far more than items.

    By a normal distribution it would be almost one in three.
    """
    random = np.random.default_rng(0)
    decided = 0
    for _ in range(100):
        answers = {name: random.normal(size=(2, 1)) + 0.01 * random.normal(size=(2, 12)) for name in ("a", "b")}
        decided += verdicts(leaderboard([shared_items(answers)], replicates=60)) != {("a", "b"): "undecided"}
    assert decided <= 12


def test_other_numbers_of_seeds_are_drawn_independently():
    """In which order the seeds of one candidate stand says nothing, where the other has another number of them."""
    two, four = np.repeat([[0.0], [1.0]], 40, axis=1), np.repeat([[0.0], [0.0], [1.0], [1.0]], 40, axis=1)
    intervals = [
        leaderboard([shared_items({"two": two, "four": rows})])["tests"][0]["differences"][0]["interval"]
        for rows in (four, four[::-1])
    ]
    assert intervals[0] == pytest.approx(intervals[1], rel=0.05)
    paired = {"two": two, "again": two}
    assert leaderboard([shared_items(paired)])["tests"][0]["differences"][0]["interval"] == [0, 0]


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
    """At most about five of 100 leaderboards of five equal candidates decide anything."""
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


def test_units_that_fill_up_change_nothing():
    answers = {"a": right(0.7), "b": right(0.5, seed=1)}
    filled = np.concatenate([single_units(400), np.full((400, 1), NO_UNIT)], axis=1)
    assert leaderboard([shared_items(answers)]) == leaderboard([shared_items(answers, units=filled)])
    few = np.where(filled == NO_UNIT, NO_UNIT, filled % (MIN_UNITS - 1))
    assert verdicts(leaderboard([shared_items(answers, units=few)])) == {("a", "b"): None}


def test_chance_decides_nothing_about_all_pairs_of_documents():
    """Equally good vectors are hardly ever told apart by 30 documents; with their pairs as units a fifth would be."""
    random = np.random.default_rng(0)
    first, second = np.triu_indices(30, 1)
    decided = {"pairs": 0, "documents": 0}
    for _ in range(40):
        documents = random.normal(size=(30, 10))
        answers = {}
        for name in "ab":
            vectors = documents + random.normal(size=documents.shape)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            answers[name] = (vectors[first] * vectors[second]).sum(axis=1)
        gold = correlation((documents[first] * documents[second]).sum(axis=1), by_rank=False)
        for name, units in (
            ("pairs", single_units(len(first))),
            ("documents", pair_units(first.astype(str).tolist(), second.astype(str).tolist())),
        ):
            board = leaderboard([shared_items(answers, statistic=gold, units=units)], replicates=200)
            decided[name] += verdicts(board)["a", "b"] != "undecided"
    assert decided["documents"] <= 2 < 5 <= decided["pairs"]


def test_the_chart_shows_each_pair_with_its_verdict(tmp_path):
    board = leaderboard([shared_items({"a": right(0.9), "b": right(0.4, seed=1), "c": right(0.4, seed=2)})])
    figure = leaderboard_chart.chart(board)
    shown = {(trace.name, label) for trace in figure.data for label in trace.y}
    assert shown == {("holds", "a above b "), ("holds", "a above c "), ("undecided", "b above c ")}
    leaderboard_chart.write_chart(board, tmp_path / "board.html")
    assert "src=" not in (tmp_path / "board.html").read_text(encoding="utf-8").split("<body>")[0]
    unjudged = shared_items({"a": right(0.9), "b": right(0.4)})
    (trace,) = leaderboard_chart.chart(leaderboard([replace(unjudged, why_no_verdict="Clusters move.")])).data
    assert trace.name == "no verdict" and trace.error_x.array == (0,) == trace.error_x.arrayminus
    with pytest.raises(InputError, match=r"expected a name that ends in .html"):
        leaderboard_chart.write_chart(board, tmp_path / "board.png")


def test_the_rows_of_the_chart_are_in_the_order_of_the_table():
    first = shared_items({"a": right(0.4), "b": right(0.4, seed=2), "c": right(0.9, seed=1), "d": right(0.1, seed=3)})
    second = replace(shared_items({"d": right(0.1, seed=3), "a": right(0.4), "c": right(0.9)}), test="second")
    board = leaderboard([first, second])
    assert verdicts(board)["a", "b"] == "undecided" and verdicts(board)["a", "c"] == "fails"
    figure = leaderboard_chart.chart(board)
    for axis, test in zip(figure.select_yaxes(), board["tests"], strict=True):
        pairs = [f"{row['first']} above {row['second']} " for row in test["differences"]]
        assert (axis.categoryorder, list(axis.categoryarray)) == ("array", pairs) and axis.autorange == "reversed"


def test_names_are_as_short_as_they_differ():
    assert short_names(["data/a/seed-0", "data/b/seed-0"]) == ["a/seed-0", "b/seed-0"]
    assert short_names(["x.txt", "data/x.txt"]) == ["x.txt", "data/x.txt"]
    assert all(len(set(short_names(pair))) == 2 for pair in itertools.permutations(["a", "a/b", "a/b/c"], 2))
