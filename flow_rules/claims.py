"""The verdicts on the claims of the systems that a run evaluated, in the last lines of its summary."""

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from flow_rules.outputs import evaluated_systems

VERDICTS = {
    "holds": "hold",
    "fails": "fail",
    "undecided": "undecided",
    "not run": "not run",
    "needs": "need data that small, real and paper lack",
}


def summary(root: Path, outs: Iterable[str]) -> tuple[list[str], str]:
    """The line on the claims, if any were judged, and what to look at first after a run that succeeded."""
    verdicts_by_system = _verdicts(root, outs)
    counts = Counter(verdict for verdicts in verdicts_by_system.values() for verdict in verdicts)
    shown = [f"{counts[verdict]} {word}" for verdict, word in VERDICTS.items() if counts[verdict] or verdict != "needs"]
    failing = [
        f"{system} ({verdicts.count('fails')})"
        for system, verdicts in verdicts_by_system.items()
        if "fails" in verdicts
    ]
    report = root / "data" / "report" / "index.html"
    first = os.path.relpath(report if report.exists() else root / "data")
    if failing:
        first = f"the claims that fail, of {', '.join(failing)}"
    return [f"claims: {', '.join(shown)}"] if verdicts_by_system else [], first


def _verdicts(root: Path, outs: Iterable[str]) -> dict[str, list[str]]:
    """The verdicts of each system that was evaluated."""
    verdicts: dict[str, list[str]] = {}
    for system in evaluated_systems(outs):
        path = root / "data" / "evaluation" / system / "claims.json"
        try:
            claims = json.loads(path.read_text(encoding="utf-8"))
            verdicts[system] = ["needs" if _needs(claim) else claim["verdict"] for claim in claims]
        except (OSError, ValueError, KeyError, TypeError):
            continue  # half of a run; its stage will write it again
    return verdicts


def _needs(claim: dict) -> bool:
    """Whether small, real and paper lack the data that would judge the claim."""
    return claim["verdict"] == "not run" and bool(claim.get("needs"))
