"""The effects of headlines under every profile, as bars on one scale: by how much each is as its claim expects."""

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from repline.evaluation.claims.judgement import Decision
from repline.report.result_records import MeasuredClaim, Standing

MIDDLE = 50.0  # percent of a bar's width: where the claim's relation turns
HALF = 46.0  # percent from the middle to the end of the longest part of a bar


class Bar(NamedTuple):
    """Where an effect and its interval lie, in percent of the width; right of `MIDDLE` is as the claim expects."""

    low: float
    point: float
    high: float


class Effect(TypedDict):
    """The headline of one system under one profile; `sides` are the two numbers that it compares, in words."""

    profile: str
    of_page: bool
    here: bool
    shown: str
    between: str
    sides: str
    verdict: Decision | None
    reason: str
    bar: Bar | None


def effects(standings: Sequence[Standing]) -> list[Effect]:
    """The measured headlines of one system, that of the page's profile first."""
    measured = [standing for standing in standings if standing["headline"]["value"] is not None]
    return [_effect(standing) for standing in sorted(measured, key=lambda standing: not standing["of_page"])]


def _effect(standing: Standing) -> Effect:
    headline = standing["headline"]
    claim = standing["claims"].get(headline.get("claim", ""))
    return {
        "profile": standing["profile"],
        "of_page": standing["of_page"],
        "here": standing["here"],
        "shown": headline["shown"],
        "between": " to ".join(headline.get("shown_interval", ())),
        "sides": headline.get("shown_sides", ""),
        "verdict": headline.get("verdict"),
        "reason": headline.get("reason", ""),
        "bar": None if claim is None else bar(claim),
    }


def bar(claim: MeasuredClaim) -> Bar | None:
    """The margin of a claim and its interval, scaled so that the longer side ends at the same place in every bar.

    None where the claim has no margin. Effects have different units: bars say on which side of the threshold an effect
    and its interval lie, not which of two effects is the larger one.
    """
    margin = claim.get("margin")
    if margin is None:
        return None
    low, high = claim.get("interval") or (margin, margin)
    longest = max(abs(low), abs(high), abs(margin)) or 1.0
    return Bar(*(MIDDLE + HALF * number / longest for number in (low, margin, high)))
