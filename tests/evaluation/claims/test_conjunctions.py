"""Claims that are several at once: their comparisons, and when they fail."""

import numpy as np
import pytest

from repline.evaluation.claims.conjunctions import comparisons
from repline.evaluation.claims.judgement import Claim, check

METRICS = {"a": 1.0, "b": 2.0, "c": 3.0, "many": [1.0, 2.0, 3.0, 4.0]}


@pytest.mark.parametrize(
    ("relation", "measured", "bound", "expected"),
    [
        (">", "min(a, b)", "0", [("a", "0"), ("b", "0")]),
        ("<", "max(a, b)", "c", [("a", "c"), ("b", "c")]),
        (">", "max(a, b)", "0", [("max(a, b)", "0")]),
        (">=", "a", "max(b, c)", [("a", "b"), ("a", "c")]),
        (">", "a - max(b, c)", "0", [("a - b", "0"), ("a - c", "0")]),
        (">", "100 * min(a, b) - max(b, c)", "0", [(f"100 * {x} - {y}", "0") for x in "ab" for y in "bc"]),
        (">", "-max(a, b) / 2", "0", [("-a / 2", "0"), ("-b / 2", "0")]),
        (">", "min(many[1:3])", "0", [("many[1:3][0]", "0"), ("many[1:3][1]", "0")]),
        ("<", "max(many)", "0", [(f"many[{number}]", "0") for number in range(4)]),
        (">", "a * min(b, c)", "0", [("a * min(b, c)", "0")]),
        ("between", "min(a, b)", "0", []),
    ],
)
def test_a_claim_has_the_comparisons_that_hold_with_it(relation, measured, bound, expected):
    assert comparisons(relation, measured, [bound], METRICS, "here") == expected


def judged(means, seed, expression="min(x[0:6])"):
    """The verdict on six leads whose measured values and replicates have errors of one kind."""
    random = np.random.default_rng(seed)
    leads = np.asarray(means) + random.normal(size=6)
    replicates = [{"x": (leads + random.normal(size=6)).tolist()} for _ in range(200)]
    claim = Claim(id="one", text="all lead", scale="small", measured=expression, expected="> 0")
    return check([claim], {"x": leads.tolist()}, "small", replicates)[0].verdict


def test_the_least_of_several_fails_no_more_often_by_chance_than_one_number():
    verdicts = [judged([0.0] * 6, seed) for seed in range(200)]
    assert verdicts.count("fails") < 0.1 * len(verdicts)  # 0.4 where the minimum alone decides
    assert verdicts.count("holds") < 0.05 * len(verdicts)


def test_a_claim_fails_where_one_of_its_comparisons_does():
    assert judged([5, 5, 5, -5, 5, 5], 0) == "fails"
    assert judged([5.0] * 6, 0) == "holds"
    assert judged([5, 5, 5, -5, 5, 5], 0, "x[0] - max(x[1], x[2]) + 2 * x[3]") == "fails"
