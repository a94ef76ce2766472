"""What the benchmarks measured, kept in results/benchmarks.json and shown in docs/speed.md."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from benchmarks.timing import Comparison, reaches_its_goal
from repline.files import write_json
from repline.report import readme

RESULTS = Path("results/benchmarks.json")


class Measured(TypedDict):
    """What one benchmark measured, when, and where."""

    title: str
    date: str
    machine: str
    comparisons: list[Comparison]


def record(name: str, title: str, comparisons: Sequence[Comparison]) -> None:
    """Put the comparisons of one benchmark, measured now and here, in place of the earlier ones, and write the page."""
    every: dict[str, Measured] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    every[name] = {
        "title": title,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {_processor()}",
        "comparisons": list(comparisons),
    }
    every = dict(sorted(every.items()))
    write_json(RESULTS, every)
    readme.replace("docs/speed.md", "benchmarks", table(every))
    readme.replace("docs/speed.md", "below", below_their_goal(every))


def table(every: Mapping[str, Measured]) -> str:
    """A Markdown table with a row per comparison."""
    lines = ["| benchmark | comparison | ratio | goal | measured |", "| --- | --- | --- | --- | --- |"]
    for name, record in every.items():
        for row in record["comparisons"]:
            goal = "" if row["goal"] is None else f"{row['goal']:g}"
            when = f"{record['date']}, {record['machine']}"
            cells = (name, row["comparison"], f"**{row['ratio']:g}**", goal, when)
            lines.append("| " + " | ".join(readme.cell(cell) for cell in cells) + " |")
    return "\n".join(lines)


def below_their_goal(every: Mapping[str, Measured]) -> str:
    """A Markdown list of the comparisons below their goal, each with what keeps it there."""
    return "\n".join(
        f"* {name}, {row['comparison']}: {row['ratio']:g} of {row['goal']:g}. {row.get('limit', '')}".rstrip()
        for name, record in every.items()
        for row in record["comparisons"]
        if not reaches_its_goal(row)
    )


def _processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("model name", "Model", "CPU part")):
                return " ".join(line.partition(":")[2].split())
    except OSError:
        return platform.processor() or "unknown processor"
    return platform.processor() or "unknown processor"
