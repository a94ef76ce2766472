"""How long each stage will take: its last time here or in the profile, else what the project says, else a guess."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median

from flows.planning.dvc_graph import Stage
from flows.planning.schedule import Estimate
from flows.project import hooks, settings
from flows.records import history

START = 1.5  # seconds for DVC and for Python to start, which a run record leaves out
GUESSES = {"train": 60.0, "evaluate": 15.0}  # seconds of a step by a word in its name
DEFAULT_GUESS = 5.0  # seconds


def read(root: Path, profile: str, plan: Mapping[str, Stage], base: Path | None = None) -> dict[str, Estimate]:
    """Estimate the seconds of every stage of the plan.

    Args:
        root: the workspace, with its run records.
        profile: its name, for what the project knows of stages that have not run here.
        plan: the stages by address.
        base: the folder of the profile without overrides, whose times stand in for those that a workspace of
            overrides does not have.
    """
    reference = hooks.find("reference_seconds")
    measured = dict(reference(root, profile)) if reference else {}
    measured = {address: seconds for address, seconds in measured.items() if _is_time(seconds)}
    for folder in dict.fromkeys((base or root, root)):
        measured |= {record["stage"]: record["seconds"] for record in records(folder)}
    siblings: dict[str, list[float]] = {}
    for address, seconds in measured.items():
        siblings.setdefault(address.split("@")[0], []).append(seconds)
    return {address: _estimate(stage, measured, siblings) for address, stage in plan.items()}


def records(root: Path) -> list[dict]:
    """The run records of a workspace: those that its stages write, and for other stages those of the flow.

    Other files there are skipped.
    """
    contents = (_load(path) for path in sorted(settings.runs(root).glob("*.json")))
    stage_records = [
        record for record in contents if isinstance(record.get("stage"), str) and _is_time(record.get("seconds"))
    ]
    names = {record["stage"] for record in stage_records}
    return stage_records + [
        _without_start(record) for record in history.last_runs(root) if record["stage"] not in names
    ]


def with_memory(root: Path, plan: Mapping[str, Stage]) -> dict[str, Stage]:
    """The plan, with the peak memory of the last run for each stage that does not say what it takes."""
    peaks = {record["stage"]: record.get("peak_bytes", 0) for record in records(root)}
    return {
        address: stage if stage.memory is not None else replace(stage, memory=peaks.get(address))
        for address, stage in plan.items()
    }


def _without_start(record: history.Record) -> dict:
    """A record of the flow, whose seconds are with those that it takes to start."""
    return {**record, "seconds": max(record["seconds"] - START, 0.0)}


def _estimate(stage: Stage, measured: dict[str, float], siblings: dict[str, list[float]]) -> Estimate:
    if stage.address in measured:
        return Estimate(START + measured[stage.address])
    if sibling_seconds := siblings.get(stage.address.split("@")[0]):
        return Estimate(START + median(sibling_seconds), measured=False)
    return Estimate(_guess(stage), measured=False)


def _guess(stage: Stage) -> float:
    step = stage.address.rpartition(":")[2]
    seconds = next((seconds for name, seconds in GUESSES.items() if name in step), DEFAULT_GUESS)
    return START + seconds * stage.threads  # a stage is made wide because it is long


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _load(path: Path) -> dict:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
