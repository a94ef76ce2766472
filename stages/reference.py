"""Make the reference results of a profile: `make reference`, or `PROFILE=real make reference`.

The profile is run whole; what it measured goes into results/<profile>.json, from which README and the systems' pages
are written. For the default profile git also keeps the locks and the metrics, so that a clone knows what was run on
what. `python -m stages.reference --no-run [PROFILE]` keeps what the last run measured, and
`python -m stages.reference --compare [OTHER]` compares it with the reference, or with a report.json of another run.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from repline import parameters
from repline.errors import InputError
from repline.report import comparison, content, reference, run_records
from stages import RUNS, locks, result_tables
from stages.exact_outputs import exact_outputs

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
    parser.add_argument(
        "--compare",
        nargs="?",
        const="",
        metavar="OTHER",
        help="compare the last run with OTHER, a report.json or reference results (default: those of the profile)",
    )
    parser.add_argument("--brief", action="store_true", help="name only some of the differences")
    options = parser.parse_args(arguments)
    if options.compare is not None:
        found = compare(options.profile, options.compare or f"results/{options.profile}.json")
        print("\n".join(found.lines(comparison.SHOWN if options.brief else None)))
        return
    # every stage, also those that the report does not need: git keeps their locks, too
    every = ["dvc.yaml", *sorted(map(str, Path("stages").glob("*/dvc.yaml")))]
    command = [sys.executable, "-m", "flows", "reproduce", "--profile", options.profile, *every]
    if not options.no_run and subprocess.run(command).returncode:
        raise InputError(f"the profile {options.profile} did not run to its end, so there is nothing to keep of it")
    print("\n".join([*_results(options.profile), *to_commit(Path.cwd(), options.profile)]))


def compare(profile: str, other: str | Path) -> comparison.Comparison:
    """What is here of a profile compared with reference results or with the report.json of another run.

    Raises:
        InputError: nothing of the profile is here, or `other` is neither.
    """
    try:
        known = json.loads(Path(other).read_text(encoding="utf-8"))
        if isinstance(known["systems"], list):
            known = comparison.evaluated(reference.collect(known), known)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{other}: expected reference results or a report.json ({error})") from None
    root = _root(profile)
    systems = sorted(path.parent.name for path in root.glob("stages/*/published.yaml"))
    report = content.describe(systems, parameters.read(root / "params.yaml"), root / "stages", root / "data")
    results = reference.collect(report, run_records.read_runs(root / RUNS), exact_outputs(root))
    return comparison.compare(comparison.evaluated(results, report), known)


def _root(profile: str) -> Path:
    """The folder that a profile was run in: this one, or its workspace."""
    if parameters.read().get("profile") == profile:
        return Path()
    if not (WORKSPACES / profile).is_dir():
        raise InputError(f"profile {profile} has not been run here; `make reference PROFILE={profile}` runs it")
    return WORKSPACES / profile


def _results(profile: str) -> list[str]:
    root = _root(profile)
    report = root / "data/report/report.json"
    if not report.exists():
        raise InputError(f"{report}: profile {profile} has not been run here; `make reference` runs it")
    described = json.loads(report.read_text(encoding="utf-8"))
    results = reference.collect(described, run_records.read_runs(root / RUNS), exact_outputs(root))
    if results["profile"] != profile:
        raise InputError(f"{report}: expected the report of profile {profile}, found that of {results['profile']}")
    path = Path("results") / f"{profile}.json"
    reference.write(path, results)
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
