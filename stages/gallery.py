"""Put the table of systems, from data/report/report.json, into README.md. By hand: a README is no output of a run."""

import json
import sys
from pathlib import Path

from repline.errors import InputError
from repline.report import gallery

REPORT = Path("data/report/report.json")


def main() -> None:
    if not REPORT.exists():
        raise InputError(f"{REPORT}: the report is not there yet; run `dvc repro` first")
    changed = gallery.update("README.md", json.loads(REPORT.read_text(encoding="utf-8")))
    print("README.md: the gallery is new" if changed else "README.md: the gallery was up to date")


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(f"stages.gallery: {error}")
