"""What a run measured against the reference results of its profile, in a few lines."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

MAX_COMPARISON_SECONDS = 300.0  # seconds


def compare(root: Path, profile: str, systems: Sequence[str]) -> list[str]:
    """The lines of `python -m stages.upkeep.reference --compare --brief`; none where the profile has no reference.

    Args:
        root: the folder that the profile was run in.
        profile: its name.
        systems: the systems to compare.
    """
    if (
        not systems
        or not (root / "results" / f"{profile}.json").exists()
        or not (root / "stages" / "upkeep" / "reference.py").exists()
    ):
        return []
    command = [
        sys.executable,
        "-m",
        "stages.upkeep.reference",
        profile,
        "--compare",
        "--brief",
        "--systems",
        *systems,
    ]
    try:
        comparison = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=MAX_COMPARISON_SECONDS)
    except subprocess.TimeoutExpired:
        return [f"not compared with the reference: it took more than {MAX_COMPARISON_SECONDS:.0f} seconds"]
    if comparison.returncode:
        complaint = (comparison.stderr.strip().splitlines() or ["no reason was given"])[-1]
        return [f"not compared with the reference: {complaint}"]
    return comparison.stdout.splitlines()
