"""Reference results: what a profile measured on a named machine, kept in git and quoted by README and stage pages."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.report.readme import cell


def collect(report: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The numbers of a report that are worth keeping.

    Args:
        report: from `repline.report.content.describe`, or read from `report.json`.
        runs: the run records of `repline.report.run_records.read_runs`.

    Returns:
        {"profile", "machine", "date", "systems": name -> {"headline", "claims" (id -> verdict, measured, expected,
        scale), "numbers" (of every row of the paper's tables that was measured here)}, "stages": address -> {"seconds",
        "core_seconds", "peak_bytes", "threads"}}.
    """
    machines = sorted({_machine(run) for run in runs})
    last = max((run["started"] + run["seconds"] for run in runs), default=0.0)
    return {
        "profile": report["profile"],
        "machine": "; ".join(machines),
        "date": f"{datetime.fromtimestamp(last, UTC):%Y-%m-%d}",
        "systems": {system["name"]: _system(system) for system in report["systems"]},
        "stages": {run["stage"]: _cost(run) for run in runs},
    }


def read(folder: str | Path = "results") -> dict[str, dict[str, Any]]:
    """The reference results in `folder`, by profile; InputError for a file that does not hold any."""
    found = {}
    for profile in ("small", "real", "paper"):
        path = Path(folder) / f"{profile}.json"
        if not path.exists():
            continue
        try:
            found[profile] = json.loads(path.read_text(encoding="utf-8"))
            found[profile]["systems"], found[profile]["machine"], found[profile]["date"]
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path}: these are no reference results ({error}); write them by `make reference`"
            ) from None
    return found


def page(references: Mapping[str, Mapping[str, Any]], name: str, claims: Sequence[Mapping[str, Any]]) -> str:
    """The results of one system as Markdown: every claim by profile, then the paper's numbers and ours.

    Args:
        references: by profile, from `read`.
        name: the system.
        claims: from its claims.yaml, for their texts and their order.
    """
    shown = {profile: one for profile, one in references.items() if name in one["systems"]}
    if not shown:
        return "No reference results yet: `make reference` writes them."
    lines = [f"Profile `{profile}`: {one['date']}, {one['machine']}.  " for profile, one in shown.items()]
    lines += ["", "| claim | " + " | ".join(shown) + " |", "| --- |" + " --- |" * len(shown)]
    for claim in claims:
        verdicts = [_verdict(one["systems"][name]["claims"].get(claim["id"])) for one in shown.values()]
        lines.append("| " + " | ".join(map(cell, (claim["text"], *verdicts))) + " |")
    rows: dict[tuple[str, ...], dict[str, Any]] = {}
    for profile, one in shown.items():
        for number in one["systems"][name]["numbers"]:
            key = tuple(number["row"])
            rows.setdefault(key, {"published": number["published"]})[profile] = number["measured"]
    if rows:
        lines += [
            "",
            "| of the paper | published | " + " | ".join(shown) + " |",
            "| --- | --- |" + " --- |" * len(shown),
        ]
        for key, values in rows.items():
            numbers = [_number(values.get(profile)) for profile in shown]
            lines.append("| " + " | ".join(map(cell, (", ".join(key), values["published"], *numbers))) + " |")
    return "\n".join(lines)


def _system(system: Mapping[str, Any]) -> dict[str, Any]:
    claims = {
        claim["id"]: {key: claim.get(key) for key in ("verdict", "scale", "expected")}
        | {"measured": _rounded(claim.get("measured"))}
        for claim in system["claims"]
    }
    numbers = [
        {
            "row": [table["caption"], *(row[key] for key in ("dataset", "variant", "item", "column") if row.get(key))],
            "published": row["value"],
            "measured": _rounded(row["measured"]),
        }
        for table in system["tables"]
        for row in table["rows"]
        if row["measured"] is not None
    ]
    headline = system["headline"] | {"value": _rounded(system["headline"]["value"])}
    return {"headline": headline, "claims": claims, "numbers": numbers}


def _cost(run: Mapping[str, Any]) -> dict[str, Any]:
    seconds = {key: round(run[key], 1) for key in ("seconds", "core_seconds")}
    return seconds | {"peak_bytes": run["peak_bytes"], "threads": run["threads"]}


def _machine(run: Mapping[str, Any]) -> str:
    machine = run["machine"]
    return f"{machine['cores']} cores, {machine['platform'].partition('-with')[0]}, Python {machine['python']}"


def _verdict(claim: Mapping[str, Any] | None) -> str:
    if claim is None or claim["verdict"] == "not run":
        return "not run"
    return f"{claim['verdict']}: {_number(claim['measured'])} ({claim['expected']})"


def _rounded(value: Any) -> Any:
    """Six significant digits; further ones differ between machines."""
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _number(value: Any) -> str:
    return "" if value is None else f"{value:.4g}"
