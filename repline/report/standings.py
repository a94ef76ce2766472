"""The results and the effect of each system under every profile: those measured here, or else the reference results."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from repline.evaluation.claims.judgement import Decision
from repline.report import comparison, reference
from repline.report.gallery import asked
from repline.report.result_records import (
    MeasuredClaim,
    ProfileRun,
    ReferenceResults,
    Report,
    RunRecord,
    Standing,
    SystemResults,
)

PROFILES = ("tiny", *reference.PROFILES)
MIDDLE = 50.0  # percent of a bar's width: where the claim's relation turns
HALF = 46.0  # percent from the middle to the end of the longest part of a bar


class Bar(NamedTuple):
    """Where an effect and its interval lie, in percent of the width; right of `MIDDLE` is as the claim expects."""

    low: float
    point: float
    high: float


class Effect(TypedDict):
    """The headline of one system under one profile.

    `sides` are the two numbers that it compares, in words; `asked` is what its claim asks for, where that is not zero.
    """

    profile: str
    of_page: bool
    here: bool
    changed: list[str]
    shown: str
    between: str
    sides: str
    asked: str
    verdict: Decision | None
    reason: str
    bar: Bar | None


def standings(
    report: Report,
    runs: Sequence[RunRecord],
    other_profiles: Sequence[ProfileRun] = (),
    references: Mapping[str, ReferenceResults] | None = None,
    older: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    deviating: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
) -> dict[str, list[Standing]]:
    """The results of every system of `report` by profile, smallest first.

    Args:
        report, runs: those of the page's profile, from `content.describe` and `run_records.read_runs`.
        other_profiles: reports and runs of other profiles that were run on this machine.
        references: profile -> reference results (`reference.read`); taken where a profile has not been run here.
        older: by system and profile, the parameters that have changed since its reference results were measured.
        deviating: by system and profile, the parameters of the run here that are not those of the reference results.

    Returns:
        By the name of the system.
    """
    mine = report["profile"]
    here = {
        described["profile"]: comparison.evaluated(reference.collect(described, records), described)
        for described, records in [*other_profiles, ProfileRun(report, list(runs))]
    }
    by_system = {}
    for system in report["systems"]:
        rows = []
        for profile in PROFILES:
            if profile == "tiny" != mine:
                continue
            for source, whole in ((True, here.get(profile)), (False, (references or {}).get(profile))):
                if whole and system["name"] in whole["systems"]:
                    changed = ((deviating if source else older) or {}).get(system["name"], {}).get(profile, ())
                    rows.append(_standing(whole["systems"][system["name"]], profile, profile == mine, source, changed))
                    break
        by_system[system["name"]] = rows
    return by_system


def _standing(system: SystemResults, profile: str, on_page: bool, here: bool, changed: Sequence[str]) -> Standing:
    return {
        "profile": profile,
        "of_page": on_page,
        "here": here,
        "changed": list(changed),
        "machine": system["machine"],
        "date": system["date"],
        "headline": system["headline"],
        "claims": system["claims"],
        "numbers": {reference.key_of_measured(number): number for number in system["numbers"]},
        "cost": system.get("core_seconds"),
    }


def effects(standings: Sequence[Standing]) -> list[Effect]:
    """The measured headlines of one system, that of the page's profile first.

    A headline of another profile that names no claim is left out: it was measured before the headline compared two
    numbers, and answers another question.
    """
    measured = [
        standing
        for standing in standings
        if standing["headline"]["value"] is not None and (standing["of_page"] or standing["headline"].get("claim"))
    ]
    return [_effect(standing) for standing in sorted(measured, key=lambda standing: not standing["of_page"])]


def _effect(standing: Standing) -> Effect:
    headline = standing["headline"]
    claim = standing["claims"].get(headline.get("claim", ""))
    return {
        "profile": standing["profile"],
        "of_page": standing["of_page"],
        "here": standing["here"],
        "changed": standing["changed"],
        "shown": headline["shown"],
        "between": " to ".join(headline.get("shown_interval", ())),
        "sides": headline.get("shown_sides", ""),
        "asked": asked(claim["expected"], headline["shown"]) if claim else "",
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
