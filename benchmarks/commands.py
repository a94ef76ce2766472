"""README's commands from a fresh clone of the last commit, in minutes, compared with their budgets.

Takes about twenty minutes, and the package registry once; worth reading only where nothing else runs. The budgets are
for two fast cores; on two slow ones the run may take twenty minutes.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.timing import keep
from flows import cost
from flows.planning import estimates

CHECKOUT = Path(__file__).resolve().parent.parent
SYSTEMS = len(list(CHECKOUT.glob("stages/*/published.yaml")))
SETUP_GOAL, RUN_GOAL, TEST_GOAL, CI_GOAL = 1.5, 12, 10, 40  # minutes
SYSTEM_GOAL = 40  # core-seconds, on average


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "repline"
        subprocess.run(["git", "clone", "-q", str(CHECKOUT), str(clone)], check=True)
        setup = _minutes(clone, "setup")
        run = _minutes(clone, "repro")
        again = _minutes(clone, "repro")
        lint = _minutes(clone, "lint")
        tests = _minutes(clone, "test")
        _keep("make setup, packages by the registry, minutes (less is better)", setup, SETUP_GOAL)
        _keep("make repro after the set-up, minutes (less is better)", run, RUN_GOAL)
        _keep("make test after the set-up, minutes (less is better)", tests, TEST_GOAL)
        _keep("all that CI runs, minutes (less is better)", setup + lint + tests + run + again, CI_GOAL)
        records = estimates.records(clone)
        seconds = sum(row.core_seconds for row in cost.by_system(records))
        _keep("make repro, core-seconds for each system (less is better)", seconds / SYSTEMS, SYSTEM_GOAL)
        _keep("wikipedia:annotate, seconds from ready to started (less is better)", _wait(records), 5)


def _minutes(clone: Path, target: str) -> float:
    """How long `make TARGET` takes; the end of what it printed if it fails."""
    start = time.perf_counter()
    completed = subprocess.run(["make", target], cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if completed.returncode:
        sys.exit(f"make {target} failed:\n{completed.stdout[-30_000:]}")
    minutes = (time.perf_counter() - start) / 60
    print(f"make {target}: {minutes:.1f} minutes", flush=True)
    return minutes


def _wait(records: list[dict]) -> float:
    """Seconds between the end of the stage that `wikipedia:annotate` reads and its own start."""
    by_step = {record["stage"].rpartition("wikipedia/dvc.yaml:")[2]: record for record in records}
    before = by_step["extract"]
    return by_step["annotate"]["started"] - before["started"] - before["seconds"]


def _keep(what: str, value: float, goal: float) -> None:
    print(f"{what}: {value:.3g} (goal {goal:g})", flush=True)
    keep(what, value, goal)


if __name__ == "__main__":
    main()
