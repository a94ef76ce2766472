"""Make the reference results of a profile: `make reference`, or `PROFILE=real make reference`.

The whole profile is run; its results go into results/<profile>.json, from which README and the systems' pages
are written. For the default profile git also keeps the locks and the metrics, so that a clone knows what was run on
what. `SYSTEMS="urn usif"` runs what these systems need, and keeps the results of the others as they are: a profile may
take hours. `python -m stages.upkeep.reference --no-run [PROFILE]` keeps the results of the last run, and
`python -m stages.upkeep.reference --compare [OTHER]` compares it with the reference, or with a report.json of another
run. `python -m stages.upkeep.reference PROFILE --review` leaves out the verdicts that answer no claim of today, and
takes today's headlines.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from repline import parameters
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.report import comparison, content, quoted_numbers, reference, run_records
from repline.report.result_records import ReferenceResults, Report
from stages import RUNS
from stages.reference_results import WORKSPACES
from stages.upkeep import locks, measured_parameters, result_tables
from stages.upkeep.exact_outputs import exact_outputs

DEFAULT = "small"
COMMITTED = (
    "results",
    "dvc.lock",
    "stages/*/dvc.lock",
    "data/evaluation/*/metrics.json",
    "README.md",
    "docs/*.md",
    "stages/*/README.md",
)


def main(arguments: list[str]) -> None:
    """Reproduce the profile that is named, or the default one, and keep what it measured.

    Raises:
        InputError: the run failed (and has said why), nothing was run, or a system does not exist.
    """
    parser = argparse.ArgumentParser(prog="python -m stages.upkeep.reference", description=__doc__)
    parser.add_argument("profile", nargs="?", default=DEFAULT)
    parser.add_argument("--systems", nargs="*", default=[], metavar="SYSTEM", help="only these (default: all)")
    parser.add_argument("--no-run", action="store_true", help="keep what the last run measured")
    parser.add_argument(
        "--compare",
        nargs="?",
        const="",
        metavar="OTHER",
        help="compare the last run with OTHER, a report.json or reference results (default: those of the profile)",
    )
    parser.add_argument("--review", action="store_true", help="leave out verdicts that answer no claim of today")
    parser.add_argument("--brief", action="store_true", help="name only some of the differences")
    options = parser.parse_args(arguments)
    if options.compare is not None:
        differences = compare(options.profile, options.compare or f"results/{options.profile}.json", options.systems)
        print("\n".join(differences.lines(comparison.SHOWN_DIFFERENCES if options.brief else None)))
        return
    if options.review:
        print("\n".join(_review(options.profile)))
        return
    unknown = sorted(set(options.systems) - set(_systems(Path())))
    if unknown:
        raise InputError(f"expected systems, some of {', '.join(_systems(Path()))}; found {', '.join(unknown)}")
    # every stage, also those that the report does not need: git keeps their locks, too
    targets = [f"stages/{name}/dvc.yaml" for name in options.systems] or ["--all-pipelines"]
    command = [sys.executable, "-m", "flows", "reproduce", "--profile", options.profile, *targets]
    if not options.no_run and subprocess.run(command).returncode:
        raise InputError(f"the profile {options.profile} did not run to its end, so there is nothing to keep of it")
    print("\n".join([*_keep(options.profile, options.systems), *to_commit(Path.cwd(), options.profile)]))


def compare(profile: str, reference_file: str | Path, systems: Sequence[str] = ()) -> comparison.Comparison:
    """Compare the results of a profile here with reference results or with the report.json of another run.

    Args:
        profile: its name.
        reference_file: the file to compare with.
        systems: compare only these, and the stages in their folders; none: all.

    Raises:
        InputError: the profile was not run here, or `reference_file` is neither kind of file.
    """
    try:
        reference_results = json.loads(Path(reference_file).read_text(encoding="utf-8"))
        if isinstance(reference_results["systems"], list):
            reference_results = comparison.evaluated(reference.collect(reference_results), reference_results)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{reference_file}: expected reference results or a report.json ({error})") from None
    root = _root(profile)
    results, report = _measured(root)
    if root != Path():  # a workspace starts with the locks of the default profile: keep only what ran in it
        results["exact"] = {key: hashes for key, hashes in results["exact"].items() if key in results["stages"]}
    results = comparison.evaluated(results, report)
    if selected := set(systems) - {""}:
        results["systems"] = {name: system for name, system in results["systems"].items() if name in selected}
        if selected < set(_systems(root)):
            folders = tuple(f"stages/{name}/" for name in selected)
            results["exact"] = {key: hashes for key, hashes in results["exact"].items() if key.startswith(folders)}
    return comparison.compare(results, reference_results)


def _review(profile: str) -> list[str]:
    """Leave out the kept verdicts that answer no claim of today, and take today's headlines."""
    path, results = Path("results") / f"{profile}.json", reference.read()[profile]
    left_out = []
    for name, system in results["systems"].items():
        folder = Path("stages") / name
        claims = judgement.read(folder / "claims.yaml")
        after = reference.reviewed(system, published.read(folder / "published.yaml"), claims, profile)
        left_out += [f"{name} {claim}: left out" for claim in system["claims"] if claim not in after["claims"]]
        results["systems"][name] = after
    reference.write(path, results)
    return [*left_out, *(f"{file}: written" for file in (path, *result_tables.write()))]


def _systems(root: Path) -> list[str]:
    return sorted(path.parent.name for path in root.glob("stages/*/published.yaml"))


def _root(profile: str) -> Path:
    """The folder that a profile was run in: this one, or its workspace."""
    if parameters.read().get("profile") == profile:
        return Path()
    if not (WORKSPACES / profile).is_dir():
        raise InputError(f"profile {profile} has not been run here; `make reference PROFILE={profile}` runs it")
    return WORKSPACES / profile


def _measured(root: Path) -> tuple[ReferenceResults, Report]:
    """The results of the profile of `root`, and the report that they are from."""
    report = content.describe(_systems(root), parameters.read(root / "params.yaml"), root / "stages", root / "data")
    runs = run_records.read_runs(root / RUNS)
    if (root / ".dvc").exists():
        existing = locks.addresses(root)
        runs = [run for run in runs if run["stage"] in existing]  # others are of stages that are gone
    return reference.collect(report, runs, exact_outputs(root)), report


def _quoted(name: str, profile: str, root: Path) -> dict[str, float]:
    """The metrics of a system that its page and its explanations quote, empty where it was not evaluated."""
    if not (metrics := result_tables.metrics(name, root)):
        return {}
    texts = (Path(f"stages/{name}/{file}").read_text(encoding="utf-8") for file in ("README.md", "published.yaml"))
    addresses = [address for text in texts for address in quoted_numbers.addresses(text)]
    numbers = quoted_numbers.quoted(addresses, profile, metrics)
    return {address: reference.rounded(number) for address, number in numbers.items()}


def _keep(profile: str, systems: Sequence[str]) -> list[str]:
    """Write the reference results, those of all systems or of some, and the pages that quote them."""
    root = _root(profile)
    results, report = _measured(root)
    missing = [name for name in systems if name not in comparison.evaluated(results, report)["systems"]]
    if missing or not (systems or (root / "data/report/report.json").exists()):
        what = f" of {', '.join(missing)}" if missing else ""
        raise InputError(f"profile {profile}{what} has not been run here; `make reference` runs it")
    if systems:
        results = _of_systems(results, systems, locks.stale(root))
        if profile in (references := reference.read()):
            existing = locks.addresses(root) if (root / ".dvc").exists() else None
            results = reference.merged(references[profile], results, existing)
    used = measured_parameters.of_systems(root, systems or list(results["systems"])) if (root / ".dvc").exists() else {}
    for name in systems or results["systems"]:
        if name in used:
            results["systems"][name]["parameters"] = used[name]
        if Path(f"stages/{name}/README.md").exists():
            results["systems"][name]["quoted"] = _quoted(name, profile, root)
    path = Path("results") / f"{profile}.json"
    reference.write(path, results)
    removed = locks.prune(root) if profile == DEFAULT and (root / ".dvc").exists() else []
    written = [f"{file}: written" for file in (path, *result_tables.write())]
    return [*(f"{address}: its lock is gone, as the stage is" for address in removed), *written]


def _of_systems(results: ReferenceResults, systems: Sequence[str], stale: Mapping[str, list[str]]) -> ReferenceResults:
    """The results of some systems, and of the stages that are not stale."""
    for name in systems:
        old = [address for address in stale if address.startswith(f"stages/{name}/")]
        if old:
            raise InputError(f"{old[0]} has changed since it was run ({stale[old[0]][0]}); run without --no-run")
    return {
        "profile": results["profile"],
        "systems": {name: results["systems"][name] for name in systems},
        "stages": {key: cost for key, cost in results["stages"].items() if key not in stale},
        "exact": {key: hashes for key, hashes in results["exact"].items() if key not in stale},
    }


def to_commit(root: Path, profile: str = DEFAULT) -> list[str]:
    """Which files of `root` differ from those in git, and which locks of the default profile are stale."""
    paths = [f":(glob){pattern}" for pattern in (*COMMITTED, "results/*.json")]
    command = ["git", "-C", str(root), "status", "--porcelain", "--untracked-files=all", "--", *paths]
    status = subprocess.run(command, capture_output=True, text=True)
    if status.returncode:
        raise InputError(f"git cannot say what to commit ({status.stderr.strip()})")
    stale = locks.describe(locks.stale(root)).splitlines() if profile == DEFAULT else []
    changed = status.stdout.splitlines()
    if not changed:
        return [*filter(None, stale), "Nothing to commit: git has these results"]
    return [
        *filter(None, stale),
        *changed,
        f"To keep these {len(changed)} files:",
        f"    git add {' '.join(COMMITTED)}",
    ]


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"stages.upkeep.reference: {error}")
