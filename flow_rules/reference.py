"""The committed results of a profile: seconds of stages that have not run here, and a run compared with them."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from flow_rules.outputs import evaluated_systems

MAX_COMPARISON_SECONDS = 300.0  # seconds


def seconds(root: Path, profile: str) -> dict[str, float]:
    """The seconds of each stage in results/PROFILE.json, by its address; none where there is no such file."""
    try:
        stages = json.loads((root / "results" / f"{profile}.json").read_text(encoding="utf-8"))["stages"]
        return {address: entry["seconds"] for address, entry in stages.items() if "seconds" in entry}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # a guess will do: the comparison says what is wrong with the file


def compare(root: Path, profile: str, outs: Iterable[str]) -> list[str]:
    """The lines of `python -m stages.upkeep.reference --compare --brief`; none where the profile has no reference.

    Args:
        root: the folder that the profile was run in.
        profile: its name.
        outs: the outputs of the run, which say the systems to compare.
    """
    systems = evaluated_systems(outs)
    if (
        not systems
        or not (root / "results" / f"{profile}.json").exists()
        or not (root / "stages" / "upkeep" / "reference.py").exists()
    ):
        return []
    command = [sys.executable, "-m", "stages.upkeep.reference", profile, "--compare", "--brief", "--systems", *systems]
    try:
        comparison = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=MAX_COMPARISON_SECONDS)
    except subprocess.TimeoutExpired:
        return [f"not compared with the reference: it took more than {MAX_COMPARISON_SECONDS:.0f} seconds"]
    if comparison.returncode:
        complaint = (comparison.stderr.strip().splitlines() or ["no reason was given"])[-1]
        return [f"not compared with the reference: {complaint}"]
    return comparison.stdout.splitlines()
