"""Every claim of every system can hold and can fail: made-up numbers by which it holds, and mutants by which not."""

from pathlib import Path

import pytest

from repline.evaluation.claims import judgement, mutants
from tests.made_up_metrics import ENDS, judged, made_up, with_extremes

STAGES = Path(__file__).parents[2] / "stages"
SYSTEMS = sorted(path.parent.name for path in STAGES.glob("*/claims.yaml"))


def cannot_fail(claim):
    """Why a claim is none: it never holds, or no mutant of numbers by which it holds moves it; None for a sound one."""
    metrics = made_up(claim)
    if metrics is None:
        return "no numbers on the scales of its measures make it hold"
    for end in ENDS:
        extremes = with_extremes(claim, metrics, end)
        examination = mutants.examine(claim, extremes, claim.up_to or claim.scale, [extremes] * 3)
        if examination.moved():
            return None
    return examination.reason


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_claim_holds_by_some_numbers_and_not_by_their_mutants(system):
    claims = judgement.read(STAGES / system / "claims.yaml")
    assert claims
    wrong = {claim.id: reason for claim in claims if (reason := cannot_fail(claim))}
    assert not wrong


@pytest.mark.parametrize(
    "measured, expected",
    [
        ("runs.lstm.accuracy - runs.lstm.accuracy", ">= 0"),
        ("abs(runs.lstm.accuracy - runs.gru.accuracy)", "<= 1"),
        ("runs.lstm.accuracy", "between 0 1"),
        ("min(runs.lstm.spearman, runs.gru.spearman)", ">= -1"),
        ("(runs.lstm.f1 + runs.gru.f1) / 2", "<= 1"),
        ("runs.lstm.hits + runs.gru.hits", ">= runs.lstm.hits"),
    ],
)
def test_a_claim_that_cannot_fail_is_noticed(measured, expected):
    values = {"id": "certain", "text": "certain", "scale": "small", "measured": measured, "expected": expected}
    (claim,) = judgement.validate([values])
    assert judged(claim, made_up(claim)).verdict == "holds"
    assert "mutants" in cannot_fail(claim)


def test_a_claim_that_cannot_hold_is_noticed():
    values = {"id": "never", "text": "never", "scale": "small", "measured": "runs.lstm.accuracy", "expected": "> 1"}
    assert "make it hold" in cannot_fail(judgement.validate([values])[0])
