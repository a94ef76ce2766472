"""Keep what the last run measured as the reference of its profile: `python -m stages.reference [PROFILE]`.

data/report/report.json and the run records -> results/<profile>.json; README.md and the systems' pages follow.
`make reference` makes the run first.
"""

import json
import sys
from pathlib import Path

from repline.errors import InputError
from repline.files import write_json
from repline.report import reference, run_records
from stages import RUNS, pages

WORKSPACES = Path("data/scratch/workspaces")


def main(arguments: list[str]) -> None:
    profile = arguments[0] if arguments else "small"
    root = Path() if profile == "small" else WORKSPACES / profile
    report = root / "data/report/report.json"
    if not report.exists():
        raise InputError(f"{report}: profile {profile} has not been run here; `make reference` runs it")
    results = reference.collect(json.loads(report.read_text(encoding="utf-8")), run_records.read_runs(root / RUNS))
    if results["profile"] != profile:
        raise InputError(f"{report}: expected the report of profile {profile}, found that of {results['profile']}")
    write_json(Path("results") / f"{profile}.json", results)
    print("\n".join([f"results/{profile}.json: written", *(f"{path}: written" for path in pages.write())]))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"stages.reference: {error}")
