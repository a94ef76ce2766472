"""What the evaluation wrote, as artifacts of the flow run: published versus measured, and the claims."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from prefect import get_run_logger
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from repline.errors import InputError
from repline.evaluation.claims import judgement, published, replicates
from repline.evaluation.replication import replicate_files


def comparison(profile: str, lines: Sequence[str]) -> None:
    """Make an artifact of the lines, if any, that compare the run with the reference results of its profile."""
    if lines:
        create_markdown_artifact(
            "\n".join(f"* {_cell(line)}" for line in lines),
            key=re.sub(r"[^a-z0-9-]+", "-", f"{profile}-reference".lower()),
            description=f"This run against the reference results of profile {profile}",
        )


def systems(root: Path, profile: str, written: Iterable[str]) -> None:
    """Make an artifact for each published table, and one for the claims, of every system evaluated in this run.

    Args:
        root: the folder that the profile was run in.
        profile: its name.
        written: the outputs of the stages that ran, relative to `root`.
    """
    parts = [Path(out).parts for out in written]
    for folder in sorted(
        {root.joinpath(*names[:3]) for names in parts if names[:2] == ("data", "evaluation") and names[2:]}
    ):
        system, key = folder.name, re.sub(r"[^a-z0-9-]+", "-", f"{profile}-{folder.name}".lower())
        try:
            _published(root / "stages" / system / "published.yaml", folder / "metrics.json", key, system)
            _claims(folder / "claims.json", key, system)
        except (InputError, ValueError, KeyError) as error:
            get_run_logger().warning("%s: no artifact: %s", system, error)


def _published(source: Path, metrics: Path, key: str, system: str) -> None:
    if not source.exists() or not metrics.exists():
        return
    measured = json.loads(metrics.read_text(encoding="utf-8"))
    repeated = replicates.Replicates(measured, replicate_files.read(metrics.with_name("replicates.parquet")))
    paper = published.read(source)
    for table in paper.tables:
        rows = [
            {name: value for name in ("dataset", "variant", "item", "column") if (value := getattr(row, name))}
            | {
                "published": row.value,
                "measured": _number(row.measured),
                "interval": _interval(row.interval),
                "difference": _number(row.difference),
            }
            for row in published.compare(table, measured, str(source), repeated)
        ]
        create_table_artifact(
            rows,
            key=f"{key}-{re.sub(r'[^a-z0-9-]+', '-', table.id.lower())}",
            description=f"**{system}**: {table.caption} (published versus measured; {paper.paper.title})",
        )


def _claims(source: Path, key: str, system: str) -> None:
    if not source.exists():
        return
    verdicts = judgement.parse_verdicts(json.loads(source.read_text(encoding="utf-8")), str(source))
    heads = ("verdict", "scale", "claim", "expected", "measured", "margin", "interval of the margin", "replicates")
    lines = [f"# Claims of {system}", "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for verdict in verdicts:
        cells = (
            verdict.verdict,
            verdict.scale,
            verdict.text,
            verdict.expected,
            _number(verdict.measured),
            _number(verdict.margin),
            _interval(verdict.interval),
            "exact" if verdict.exact else verdict.replicates or "",
        )
        lines.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    counts = Counter(verdict.verdict for verdict in verdicts)
    verdict_counts = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    create_markdown_artifact(
        "\n".join(lines), key=f"{key}-claims", description=f"**{system}**, claims: {verdict_counts}"
    )


def _interval(interval: Sequence[float] | None) -> str:
    return f"{interval[0]:.4g} to {interval[1]:.4g}" if interval else ""


def _number(value: Any) -> Any:
    return "" if value is None else float(f"{value:.6g}") if isinstance(value, float) else value


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
