"""The results of each system under every profile: those measured here, or else the reference results."""

from collections.abc import Mapping, Sequence

from repline.report import comparison, reference
from repline.report.result_records import ProfileRun, ReferenceResults, Report, RunRecord, Standing

PROFILES = ("tiny", *reference.PROFILES)


def standings(
    report: Report,
    runs: Sequence[RunRecord],
    other_profiles: Sequence[ProfileRun] = (),
    references: Mapping[str, ReferenceResults] | None = None,
) -> dict[str, list[Standing]]:
    """The results of every system of `report` by profile, smallest first.

    Args:
        report, runs: those of the page's profile, from `content.describe` and `run_records.read_runs`.
        other_profiles: reports and runs of other profiles that were run on this machine.
        references: profile -> reference results (`reference.read`); taken where a profile has not been run here.

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
                    rows.append(_standing(whole, system["name"], profile, profile == mine, source))
                    break
        by_system[system["name"]] = rows
    return by_system


def _standing(whole: ReferenceResults, name: str, profile: str, of_page: bool, here: bool) -> Standing:
    system = whole["systems"][name]
    return {
        "profile": profile,
        "of_page": of_page,
        "here": here,
        "machine": system["machine"],
        "date": system["date"],
        "headline": system["headline"],
        "claims": system["claims"],
        "numbers": {tuple(number["row"]): number for number in system["numbers"]},
        "cost": system.get("core_seconds"),
    }
