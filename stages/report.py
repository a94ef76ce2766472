"""Build data/report/ (index.html and report.json) from every system's published numbers, claims and evaluation."""

from pathlib import Path

from repline import parameters
from repline.report import content, page, run_records
from stages import RUNS, run


def main() -> None:
    systems = sorted(path.parent.name for path in Path("stages").glob("*/published.yaml"))
    report = content.describe(systems, parameters.read())
    page.write("data/report", report, run_records.read_runs(RUNS))
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in report["verdicts"].items())
    print(f"data/report/index.html: {len(systems)} system{'s' * (len(systems) != 1)}; claims: {verdicts}")


if __name__ == "__main__":
    run(main)
