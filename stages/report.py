"""Build data/report/report.json, and the page index.html next to it, from every system's records and evaluation.

`report.json` is the stage's output: the same bytes for the same inputs. The page is a view of it and no output, and so
are the cards of models (`stages.model_cards`). The page also shows when each stage ran, the other profiles that
were run on this machine, and the reference results (results/) of those that were not. So it may be rewritten at any
time, by the flow while a run goes on, or by hand:

    python -m stages.report --page
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.report import content, page, run_records
from repline.report.result_records import ProfileRun, Report
from repline.report.standings import PROFILES
from stages import RUNS, model_cards, reference_results, run
from stages.reference_results import WORKSPACES

FOLDER = Path("data/report")
DRAFT = Path("data/scratch/page")


def main() -> None:
    report = _described(Path())
    page.write(FOLDER, report, run_records.read_runs(RUNS), **_other_profiles(report["profile"]))
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in report["verdicts"].items())
    systems = len(report["systems"])
    print(f"{FOLDER}/index.html: {systems} system{'s' * (systems != 1)}; claims: {verdicts}")
    print(f"{model_cards.write():,} cards of models")


def write_page(running: str | None = None) -> None:
    """Write the page alone, from what has been evaluated by now; `running` says how far a run is.

    The page is written elsewhere and then moved, since the stage may write it at the same time.
    """
    report = _described(Path())
    page.write_page(DRAFT, report, run_records.read_runs(RUNS), **_other_profiles(report["profile"]), running=running)
    FOLDER.mkdir(parents=True, exist_ok=True)
    (DRAFT / "index.html").replace(FOLDER / "index.html")


def _described(root: Path) -> Report:
    systems = sorted(path.parent.name for path in root.glob("stages/*/published.yaml"))
    return content.describe(systems, parameters.read(root / "params.yaml"), root / "stages", root / "data")


def _other_profiles(profile: str) -> dict[str, Any]:
    """The results of other profiles that were run in this checkout or its workspaces, and the reference results.

    A workspace that is not called as its profile is that of a profile of one's own, or of single parameters over a
    profile. Its numbers are not shown as those of the profile.
    """
    here = Path.cwd()
    checkout = reference_results.checkout()
    workspaces = [checkout / WORKSPACES / name for name in PROFILES]
    runs = {
        root: _run(root)
        for root in (checkout, *workspaces)
        if root != here and any(root.glob("data/evaluation/*/claims.json"))
    }
    shown = {
        root: run
        for root, run in runs.items()
        if run.report["profile"] != profile and (root == checkout or root.name == run.report["profile"])
    }
    references, older = reference_results.read()
    profiles = {profile: here} | {run.report["profile"]: root for root, run in shown.items()}
    return {
        "other_profiles": list(shown.values()),
        "references": references,
        "older": older,
        "deviating": reference_results.deviating(references, profiles),
        "workspace": here.name if here != checkout else None,
    }


def _run(root: Path) -> ProfileRun:
    return ProfileRun(_described(root), run_records.read_runs(root / RUNS))


def _page_alone(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m stages.report", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--page", action="store_true", help="write the page alone")
    parser.add_argument("--running", metavar="WORDS", help="how far the run is that goes on")
    write_page(parser.parse_args(arguments).running)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        try:
            _page_alone(sys.argv[1:])
        except InputError as error:
            sys.exit(f"stages.report: {error}")
    else:
        run(main)
