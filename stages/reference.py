"""Make the reference results of a profile: `make reference`, or `PROFILE=real make reference`.

The profile is run whole; what it measured goes into results/<profile>.json, from which README and the systems' pages
are written. For the default profile git also keeps the locks and the metrics, so that a clone knows what was run on
what. `python -m stages.reference --no-run [PROFILE]` keeps what the last run measured.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from repline.errors import InputError
from repline.files import write_json
from repline.report import reference, run_records
from stages import RUNS, locks, result_tables

DEFAULT = "small"
WORKSPACES = Path("data/scratch/workspaces")
KEPT = ("results", "dvc.lock", "stages/*/dvc.lock", "data/evaluation/*/metrics.json", "README.md", "stages/*/README.md")


def main(arguments: list[str]) -> None:
    """Reproduce the profile that is named, or the default one, and keep what it measured.

    Raises:
        InputError: the run failed, which has said why, or there was none.
    """
    parser = argparse.ArgumentParser(prog="python -m stages.reference", description=__doc__)
    parser.add_argument("profile", nargs="?", default=DEFAULT)
    parser.add_argument("--no-run", action="store_true", help="keep what the last run measured")
    options = parser.parse_args(arguments)
    # every stage, also those that the report does not need: git keeps their locks, too
    every = ["dvc.yaml", *sorted(map(str, Path("stages").glob("*/dvc.yaml")))]
    command = [sys.executable, "-m", "flows", "reproduce", "--profile", options.profile, *every]
    if not options.no_run and subprocess.run(command).returncode:
        raise InputError(f"the profile {options.profile} did not run to its end, so there is nothing to keep of it")
    print("\n".join([*_results(options.profile), *to_commit(Path.cwd(), options.profile)]))


def _results(profile: str) -> list[str]:
    root = Path() if profile == DEFAULT else WORKSPACES / profile
    report = root / "data/report/report.json"
    if not report.exists():
        raise InputError(f"{report}: profile {profile} has not been run here; `make reference` runs it")
    results = reference.collect(json.loads(report.read_text(encoding="utf-8")), run_records.read_runs(root / RUNS))
    if results["profile"] != profile:
        raise InputError(f"{report}: expected the report of profile {profile}, found that of {results['profile']}")
    path = Path("results") / f"{profile}.json"
    write_json(path, results)
    return [f"{one}: written" for one in (path, *result_tables.write())]


def to_commit(root: Path, profile: str = DEFAULT) -> list[str]:
    """Which files of `root` differ from those in git, and which locks of the default profile are stale."""
    paths = [f":(glob){pattern}" for pattern in (*KEPT, "results/*.json")]
    command = ["git", "-C", str(root), "status", "--porcelain", "--untracked-files=all", "--", *paths]
    asked = subprocess.run(command, capture_output=True, text=True)
    if asked.returncode:
        raise InputError(f"git cannot say what to commit ({asked.stderr.strip()})")
    stale = locks.describe(locks.stale(root)).splitlines() if profile == DEFAULT else []
    changed = asked.stdout.splitlines()
    if not changed:
        return [*filter(None, stale), "Nothing to commit: git has these results"]
    return [*filter(None, stale), *changed, f"To keep these {len(changed)} files:", f"    git add {' '.join(KEPT)}"]


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"stages.reference: {error}")
