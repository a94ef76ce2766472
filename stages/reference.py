"""Run a profile whole and say what to commit of it: `make reference`, or `PROFILE=real make reference`.

Of the default profile git keeps the locks and the metrics, so that a clone knows what was run on what. Those of another
profile are in its workspace, which git does not see.
"""

import subprocess
import sys
from pathlib import Path

from repline.errors import InputError
from stages import locks

DEFAULT = "small"
KEPT = ("dvc.lock", "stages/*/dvc.lock", "data/evaluation/*/metrics.json")


def main(arguments: list[str]) -> None:
    """Reproduce the profile that is named, or the default one.

    Raises:
        InputError: more than one name, or the run failed, which has said why.
    """
    if len(arguments) > 1:
        raise InputError(f"expected at most one profile, found {' '.join(arguments)}")
    profile = arguments[0] if arguments else DEFAULT
    if subprocess.run([sys.executable, "-m", "flows", "reproduce", "--profile", profile]).returncode:
        raise InputError(f"the profile {profile} did not run to its end, so there is nothing to keep of it")
    print(keep(Path.cwd()) if profile == DEFAULT else f"Nothing to commit: git keeps the results of {DEFAULT} only")


def keep(root: Path) -> str:
    """What to commit after a run of the default profile: which locks and metrics git has differently, and which locks
    no default run brings up to date."""
    paths = [f":(glob){pattern}" for pattern in KEPT]
    command = ["git", "-C", str(root), "status", "--porcelain", "--untracked-files=all", "--", *paths]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    lines = [line for line in locks.describe(locks.stale(root)).splitlines() if line]
    if not listed:
        return "\n".join([*lines, "Nothing to commit: git has these locks and metrics"])
    return "\n".join(
        [*lines, *listed, f"To keep these {len(listed)} files:", f"    git add {' '.join(KEPT)} && git commit"]
    )


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"stages.reference: {error}")
