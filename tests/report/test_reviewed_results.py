"""Kept verdicts answer the claims of today, and headlines are taken from them."""

from pathlib import Path

import pytest

from repline.evaluation.claims import judgement, published
from repline.report import reference

CLAIM = {"id": "a", "text": "A.", "scale": "real", "measured": "x - y", "expected": "> 0"}
HOLDS = {"measured": 0.2, "verdict": "holds", "scale": "real", "expected": "> 0", "measured_interval": [0.1, 0.3]}


def claim(**other):
    return judgement.validate([CLAIM | other])[0]


@pytest.mark.parametrize(
    "kept, asked, same",
    [
        ({"asked": "x - y > 0", "expected": "> 0"}, {}, True),
        ({"asked": "x / y > 0", "expected": "> 0"}, {}, False),
        ({"asked": "x - y > 0.1", "expected": "> 0.1"}, {}, False),
        ({"expected": "> 0"}, {}, True),
        ({"expected": "> 0.5"}, {}, False),
        ({"expected": ">= 0"}, {}, False),
        ({"expected": "> 0.5"}, {"expected": "> y"}, True),
        ({"expected": "<= 0.03"}, {"expected": "between -0.03 0.03"}, True),
        ({"expected": "<= 0.03"}, {"expected": "between -0.02 0.03"}, False),
        ({"expected": "", "verdict": "not run"}, {}, True),
    ],
)
def test_a_verdict_answers_the_claim_that_it_was_asked(kept, asked, same):
    assert reference.answers(HOLDS | kept, claim(**asked)) is same


def system_with(claims):
    headline = {"label": "old", "value": None, "shown": "not run", "interval": None, "replicates": 0}
    return {"machine": "", "date": "", "headline": headline, "claims": claims, "numbers": []}


def wanted_headline():
    text = {"label": "gain", "comparator": "y", "claim": "a", "format": "+.1%"}
    return published.read("stages/hcan/published.yaml").model_copy(
        update={"system": published.System(title="Toy", summary="A toy.", headline=text)}
    )


@pytest.mark.parametrize("kept, value", [(HOLDS, 0.2), (HOLDS | {"expected": ">= 0.5"}, None)])
def test_a_headline_is_that_of_a_verdict_that_answers(kept, value):
    after = reference.reviewed(system_with({"a": kept, "gone": HOLDS}), wanted_headline(), [claim()], "real")
    assert list(after["claims"]) == (["a"] if value else [])
    assert after["headline"]["value"] == value and after["headline"]["claim"] == "a"
    assert after["headline"]["shown"] == ("+20.0%" if value else "not run")
    assert after["headline"]["verdict"] == ("holds" if value else "not run")
    assert after["headline"].get("shown_interval") == (["+10.0%", "+30.0%"] if value else None)


@pytest.mark.parametrize("profile", ["real", "paper"])
def test_kept_verdicts_answer_the_claims_of_today(profile):
    wrong = []
    for name, system in reference.read()[profile]["systems"].items():
        asked = {claim.id: claim for claim in judgement.read(Path("stages") / name / "claims.yaml")}
        wrong += [
            f"{name} {key}"
            for key, kept in system["claims"].items()
            if key not in asked or not reference.answers(kept, asked[key])
        ]
    assert not wrong, f"`python -m stages.upkeep.reference {profile} --review` leaves these out"
