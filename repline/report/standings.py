"""The results of each system under every profile: those measured here, or else the reference results."""

from collections.abc import Mapping, Sequence
from typing import Any

from repline.report import comparison, reference

Run = tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]  # a report and its run records
PROFILES = ("tiny", *reference.PROFILES)


def standings(
    report: Mapping[str, Any],
    runs: Sequence[Mapping[str, Any]],
    other_profiles: Sequence[Run] = (),
    references: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, list[dict[str, Any]]]:
    """The results of every system of `report` by profile, smallest first.

    Args:
        report, runs: those of the page's profile, from `content.describe` and `run_records.read_runs`.
        other_profiles: reports and runs of other profiles that were run on this machine.
        references: profile -> reference results (`reference.read`); taken where a profile has not been run here.

    Returns:
        system -> [{"profile", "own" (whether it is the profile of `report`), "here" (measured on this machine, not
        the reference), "machine", "date", "headline", "claims" (id -> record), "numbers" (row -> record), "cost"}].
    """
    mine = report["profile"]
    here = {
        described["profile"]: comparison.evaluated(reference.collect(described, records), described)
        for described, records in [*other_profiles, (report, runs)]
    }
    by_system = {}
    for system in report["systems"]:
        rows = []
        for profile in PROFILES:
            if profile == "tiny" != mine:
                continue
            for source, whole in ((True, here.get(profile)), (False, (references or {}).get(profile))):
                if whole and system["name"] in whole["systems"]:
                    rows.append(_standing(whole, system["name"], profile, profile == mine, source))
                    break
        by_system[system["name"]] = rows
    return by_system


def _standing(whole: Mapping[str, Any], name: str, profile: str, is_own: bool, here: bool) -> dict[str, Any]:
    system = whole["systems"][name]
    return {
        "profile": profile,
        "own": is_own,
        "here": here,
        "machine": system["machine"],
        "date": system["date"],
        "headline": system["headline"],
        "claims": system["claims"],
        "numbers": {tuple(number["row"]): number for number in system["numbers"]},
        "cost": system.get("core_seconds"),
    }
