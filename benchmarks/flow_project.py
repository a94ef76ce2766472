"""The flow against `dvc repro` on stages of this project, each in a clone of its own that has run nothing yet.

Both run the same systems at the sizes of `params.yaml`. The flow goes first, so that what compiles once on a machine is
compiled in its time. The least time is the sum of the core-seconds of all stages over the cores.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.flow_commands import CHECKOUT, environment_of
from benchmarks.timing import keep
from flows.planning import estimates

SYSTEMS = ("usif", "concreteness", "tpgn", "lstm_memorization", "lmtgru")


def main() -> None:
    """Print the seconds of both, of the least time, and their ratios."""
    targets = [f"stages/{system}/dvc.yaml" for system in SYSTEMS]
    with tempfile.TemporaryDirectory() as folder:
        environment = environment_of(Path(folder))
        flow_clone, dvc_clone = _clone(Path(folder) / "flow"), _clone(Path(folder) / "dvc")
        flow = _seconds(["flows", "reproduce", "--no-prefect", *targets], flow_clone, environment)
        serial = _seconds(["dvc", "repro", *targets], dvc_clone, environment)
        least = _core_seconds(flow_clone) / (os.cpu_count() or 1)
    print(f"{', '.join(SYSTEMS)}: flow {flow:.0f} s, dvc repro {serial:.0f} s, core-seconds over cores {least:.0f} s")
    keep(f"{len(SYSTEMS)} systems of this project, against dvc repro", serial / flow)
    keep("seconds of the flow / (core-seconds / cores) (less is better)", flow / least)


def _clone(folder: Path) -> Path:
    """A clone of the checkout, with a cache of its own."""
    subprocess.run(["git", "clone", "--quiet", str(CHECKOUT), str(folder)], check=True)
    return folder


def _seconds(arguments: list[str], clone: Path, environment: dict[str, str]) -> float:
    """How long a command takes whose stages are the clone's code."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=clone,
        env=environment | {"PYTHONPATH": str(clone)},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - started


def _core_seconds(clone: Path) -> float:
    """What all stages of the flow's run took of the cores."""
    return sum(record.get("core_seconds", 0.0) for record in estimates.records(clone))
