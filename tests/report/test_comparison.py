import copy

import pytest

from repline.report import reference
from repline.report.comparison import Number, compare, evaluated, same
from repline.report.content import describe
from tests.report.toy_system import PARAMETERS


@pytest.fixture
def results(project):
    report = describe(["toy", "waiting"], PARAMETERS, project / "stages", project / "data")
    return evaluated(reference.collect(report, exact={"stages/a/dvc.yaml:a": {"data/a": "1"}}), report)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (Number("n", 1.0), Number("n", 1.0 + 5e-7), True),
        (Number("n", 1.0), Number("n", 1.0 + 5e-6), False),
        (Number("n", 0.0), Number("n", 0.0), True),
        (Number("n", 3e-16), Number("n", 3e-15), True),
        (Number("n", 3e-6), Number("n", 4e-6), False),
        (Number("n", 1.0), Number("n", 1.2, [0.9, 1.3]), True),
        (Number("n", 1.0, [0.9, 1.3]), Number("n", 1.2), True),
        (Number("n", 1.0, [0.9, 1.1]), Number("n", 1.2, [1.05, 1.3]), False),
        (Number("n", None), Number("n", 1.2, [1.05, 1.3]), False),
    ],
)
def test_two_numbers_are_the_same_if_an_interval_contains_the_other(ours, theirs, expected):
    assert same(ours, theirs) is expected
    assert same(theirs, ours) is expected


def test_a_run_is_as_itself(results):
    comparison = compare(results, copy.deepcopy(results))
    assert (comparison.different, comparison.flipped, comparison.exact_different, comparison.new) == ([], [], [], [])
    assert (comparison.numbers, comparison.exact_same) == (7, 1)
    assert comparison.lines()[0] == "7 of 7 numbers as in the reference within their intervals"


def test_a_system_that_was_not_evaluated_is_left_out(results):
    assert list(results["systems"]) == ["toy"]
    comparison = compare(results, {"systems": {}})
    assert (comparison.numbers, comparison.new) == (0, ["toy"])
    assert "not in the reference yet: toy" in comparison.lines()


def test_flipped_claims_come_first_then_stages_then_numbers(results):
    before = copy.deepcopy(results)
    claim = before["systems"]["toy"]["claims"]["low-loss"]
    claim |= {"verdict": "holds", "measured": 1.2, "measured_interval": [1.1, 1.3]}
    before["systems"]["toy"]["claims"]["rises"]["verdict"] = "undecided"  # no flip
    before["exact"] = {"stages/a/dvc.yaml:a": {"data/a": "2"}, "stages/b/dvc.yaml:gone": {"data/b": "3"}}
    assert compare(results, before).lines() == [
        "claims whose verdict flipped: toy low-loss fails (reference: holds)",
        "exact stages whose outputs differ: stages/a/dvc.yaml:a",
        "6 of 7 numbers as in the reference within their intervals; 1 is not: "
        "toy low-loss 1.857 (reference 1.2, 1.1 to 1.3)",
    ]


def test_a_number_that_is_gone_is_named_and_a_new_one_is_not(results):
    before = copy.deepcopy(results)
    results["systems"]["toy"]["numbers"] = [
        number for number in results["systems"]["toy"]["numbers"] if number["row"][0] != "Loss table"
    ]
    before["systems"]["toy"]["claims"]["at-scale"]["measured"] = None
    comparison = compare(results, before)
    assert [ours.name for ours, _ in comparison.different] == ["toy loss / d / full"]
    assert "toy loss / d / full not measured (reference 1.857, 1.897 to 1.899)" in comparison.lines()[0]


def test_a_system_whose_claims_were_not_measured_was_not_run(results):
    before = copy.deepcopy(results)
    for claim in results["systems"]["toy"]["claims"].values():
        claim["measured"] = None  # its metrics are in git, so its rows have numbers
    comparison = compare(results, before)
    assert (comparison.numbers, comparison.unrun) == (0, ["toy"])
    assert (
        not any("numbers" in line for line in comparison.lines())
        and comparison.lines()[-1] == "no claim was measured here: toy"
    )


def test_only_so_many_are_named(results):
    before = copy.deepcopy(results)
    for claim in before["systems"]["toy"]["claims"].values():
        claim |= {"measured": 9.0, "measured_interval": None}
    assert compare(results, before).lines(shown=2)[0].endswith("(reference 9), and 1 more")
    assert "more" not in compare(results, before).lines(shown=None)[0]


def test_a_difference_shows_as_many_digits_as_it_takes(results):
    before = copy.deepcopy(results)
    claim = before["systems"]["toy"]["claims"]["low-loss"]
    claim |= {"measured": 1.85701, "measured_interval": None}
    results["systems"]["toy"]["claims"]["low-loss"]["measured_interval"] = None
    assert "toy low-loss 1.857 (reference 1.85701)" in compare(results, before).lines()[0]
