"""Reference results: what a profile measured on a named machine, kept in git and quoted by README and stage pages."""

import json
from collections.abc import Mapping, Sequence, Set
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from repline.errors import InputError, in_one_line
from repline.evaluation.claims import headlines
from repline.evaluation.claims.judgement import Claim, Verdict
from repline.evaluation.claims.published import Published
from repline.files import new_file
from repline.report.result_records import (
    JudgedClaim,
    MeasuredClaim,
    MeasuredHeadline,
    MeasuredRow,
    PaperTable,
    ReferenceResults,
    Report,
    RunRecord,
    StageCost,
    SystemReport,
    SystemResults,
    TableRow,
)
from repline.report.run_records import by_hand, runs_of

PROFILES = ("small", "real", "paper")
NULLABLE = ("value", "interval")  # of a headline, written also where they are empty
CLAIM_KEYS = ("verdict", "scale", "expected", "margin", "interval", "measured_interval", "replicates", "exact", "needs")


def collect(
    report: Report,
    runs: Sequence[RunRecord] = (),
    exact: Mapping[str, Mapping[str, str]] | None = None,
) -> ReferenceResults:
    """The numbers of a report that are worth keeping: those bound to published numbers, claims and headlines.

    All other numbers are in the systems' metrics.json, which git keeps too for the default profile.

    Args:
        report: from `repline.report.content.describe`, or read from `report.json`.
        runs: the run records of `repline.report.run_records.read_runs`; what ran by hand is left out.
        exact: address of a stage whose outputs are exact -> its outputs -> their md5.

    Returns:
        The results of every system, with a number for each row of the paper's tables that was measured here; the cost
        of every stage; and the exact outputs. Numbers are rounded to eight significant digits.
    """
    runs = [run for run in runs if not by_hand(run)]
    return {
        "profile": report["profile"],
        "systems": {system["name"]: _system(system, runs) for system in report["systems"]},
        "stages": {run["stage"]: _cost(run) for run in runs},
        "exact": {address: dict(outputs) for address, outputs in (exact or {}).items()},
    }


def merged(before: ReferenceResults, new: ReferenceResults, existing: Set[str] | None = None) -> ReferenceResults:
    """Earlier results in which those of some systems and stages are replaced by `new` ones.

    Args:
        existing: the addresses of the stages that there are; what was kept of others is left out. None: nothing is.
    """
    stages, exact = before["stages"] | new["stages"], before.get("exact", {}) | new["exact"]
    if existing is not None:
        stages = {address: cost for address, cost in stages.items() if address in existing}
        exact = {address: hashes for address, hashes in exact.items() if address in existing}
    systems = before["systems"] | new["systems"]
    return {"profile": new["profile"], "systems": systems, "stages": stages, "exact": exact}


def reviewed(system: SystemResults, published: Published, claims: Sequence[Claim], profile: str) -> SystemResults:
    """Kept results without the verdicts that answer no claim of today, and with today's headline.

    The two numbers that a headline compares are not stored, so `shown_sides` stays only where the headline does.

    Args:
        published, claims: of the system, as they are today.
    """
    by_id = {claim.id: claim for claim in claims}
    stored = {name: value for name, value in system["claims"].items() if name in by_id and answers(value, by_id[name])}
    ids = headlines.claim_ids(published.system.headline).values()
    not_run = {"scale": profile, "verdict": "not run", "expected": ""}
    judged = [
        Verdict.model_validate({"id": name, "text": ""} | not_run | _of_verdict(stored.get(name, {})))
        for name in dict.fromkeys(ids)
    ]
    headline = headlines.measure(published.system.headline, judged, {}, profile, published.system.title).model_dump()
    sides = {name: value for name, value in system["headline"].items() if name == "shown_sides"}
    if headline["value"] is not None and headline["value"] == system["headline"]["value"]:
        headline |= sides
    headline = {name: rounded(value) for name, value in headline.items() if value is not None or name in NULLABLE}
    return {**system, "claims": stored, "headline": cast(MeasuredHeadline, headline)}


def answers(stored: MeasuredClaim, claim: Claim) -> bool:
    """Whether a stored verdict is one on the claim as it is today.

    Its expressions are the same; where none are stored, its relation and its numbers, between -b and b being the same
    as an absolute value of b at most.
    """
    if "asked" in stored:
        return stored["asked"] == _asked(str(claim.measured), str(claim.expected))
    if stored["verdict"] == "not run":
        return True
    was, today = stored["expected"].split(), str(claim.expected).split()
    if was[0] in ("<", "<=") and today == ["between", f"-{was[1]}", was[1]]:
        return True
    return was[0] == today[0] and (was == today or not all(_is_number(part) for part in today[1:]))


def _asked(measured: str, expected: str) -> str:
    return f"{measured} {expected}"


def _of_verdict(stored: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in stored.items() if name in Verdict.model_fields}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def read(folder: str | Path = "results") -> dict[str, ReferenceResults]:
    """The reference results in `folder`, by profile; InputError for a file that does not hold any."""
    by_profile: dict[str, ReferenceResults] = {}
    for profile in PROFILES:
        path = Path(folder) / f"{profile}.json"
        if not path.exists():
            continue
        try:
            by_profile[profile] = json.loads(path.read_text(encoding="utf-8"))
            for system in by_profile[profile]["systems"].values():
                system["machine"], system["date"], system["claims"]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{path}: these are no reference results ({in_one_line(error)}); write them by `make reference`"
            ) from None
    return by_profile


def write(path: str | Path, results: ReferenceResults) -> None:
    """Write reference results as JSON in which a record without parts is one line, so that a diff shows whole records.

    NaN and infinity are refused (ValueError).
    """
    with new_file(path) as partial:
        partial.write_text(_text(results) + "\n", encoding="utf-8")


def row_of(table: PaperTable, row: TableRow) -> list[str]:
    """The key of a row of a published table: the table's caption, then data set, variant, item, column if it has it."""
    parts = (row.get("dataset"), row.get("variant"), row.get("item"), row.get("column"))
    return [table["caption"], *(part for part in parts if part)]


def key_of(table: PaperTable, row: TableRow) -> tuple[str, ...]:
    """What tells the row of a published table from all others of the paper, also after its caption was reworded."""
    return table["id"], *row_of(table, row)[1:]


def key_of_measured(number: MeasuredRow) -> tuple[str, ...]:
    """The key of a measured row, see `key_of`."""
    caption, *rest = number["row"]
    return number.get("table", caption), *rest


def _text(value: Any, depth: int = 0) -> str:
    """`value` as JSON, over several lines only where it holds records."""
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    nested = any(isinstance(part, Mapping) or _holds_records(part) for part in parts)
    if not nested:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
    before = "\n" + " " * (depth + 1)
    if isinstance(value, Mapping):
        texts = [f"{json.dumps(key, ensure_ascii=False)}: {_text(value[key], depth + 1)}" for key in sorted(value)]
        return "{" + before + f",{before}".join(texts) + "\n" + " " * depth + "}"
    return "[" + before + f",{before}".join(_text(part, depth + 1) for part in value) + "\n" + " " * depth + "]"


def _holds_records(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(part, Mapping) for part in value)


def _system(system: SystemReport, runs: Sequence[RunRecord]) -> SystemResults:
    numbers: list[MeasuredRow] = [
        {
            "table": table["id"],
            "row": row_of(table, row),
            "published": row["value"],
            "measured": rounded(row.get("measured")),
            "interval": rounded(row.get("interval")),
            "replicates": rounded(row.get("replicates")),
        }
        for table in system["tables"]
        for row in table["rows"]
        if row["measured"] is not None
    ]
    headline = cast(MeasuredHeadline, {key: rounded(value) for key, value in system["headline"].items()})
    system_runs = runs_of(runs, system["name"])
    return {
        "machine": "; ".join(sorted({_machine(run) for run in system_runs})),
        "date": _date(system_runs),
        "headline": headline,
        "claims": {claim["id"]: _claim(claim) for claim in system["claims"]},
        "numbers": numbers,
        "core_seconds": round(sum(run["core_seconds"] for run in system_runs), 1),
    }


def _claim(claim: JudgedClaim) -> MeasuredClaim:
    """The record of a verdict, without what is empty in it."""
    judged: Mapping[str, object] = claim
    keys = (*CLAIM_KEYS, "reason") if claim["verdict"] == "undecided" else CLAIM_KEYS
    values = {key: rounded(judged[key]) for key in keys if judged.get(key) not in (None, False)}
    if claim["verdict"] != "not run" and (expressions := claim.get("expressions")):
        values["asked"] = _asked(expressions["measured"], expressions["expected"])
    return cast(MeasuredClaim, {"measured": rounded(claim.get("measured"))} | values)


def _cost(run: RunRecord) -> StageCost:
    return {
        "seconds": round(run["seconds"], 1),
        "core_seconds": round(run["core_seconds"], 1),
        "peak_bytes": run["peak_bytes"],
        "threads": run["threads"],
    }


def _machine(run: RunRecord) -> str:
    machine = run["machine"]
    return f"{machine['cores']} cores, {machine['platform'].partition('-with')[0]}, Python {machine['python']}"


def _date(runs: Sequence[RunRecord]) -> str:
    """The day on which the last run ended; empty without runs."""
    ends = [run["started"] + run["seconds"] for run in runs]
    return f"{datetime.fromtimestamp(max(ends), UTC):%Y-%m-%d}" if ends else ""


def rounded(value: Any) -> Any:
    """A number, or each number of a list, to eight significant digits: the last bits differ between machines."""
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.8g}") if isinstance(value, float) else value
