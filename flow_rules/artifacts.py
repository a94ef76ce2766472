"""What the evaluation wrote, as tables for Prefect: published versus measured, and the claims."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypedDict

from flow_rules.outputs import evaluated_systems
from repline.errors import InputError
from repline.evaluation.claims import judgement, published, replicates
from repline.evaluation.replication import replicate_files


class Artifact(TypedDict, total=False):
    """A table or a text for Prefect, or a complaint in place of one."""

    key: str
    description: str
    table: list[dict[str, object]]
    markdown: str
    complaint: str


def artifacts(root: Path, profile: str, written: Iterable[str]) -> list[Artifact]:
    """A table for each published table, and one for the claims, of every system evaluated in a run.

    Args:
        root: the folder that the profile was run in.
        profile: its name.
        written: the outputs of the stages that ran, relative to `root`.

    Returns:
        a mapping for each table, and one with a "complaint" for each system that has none because a file is broken.
    """
    tables: list[Artifact] = []
    complaints: list[Artifact] = []
    for system in evaluated_systems(written):
        folder, key = root / "data" / "evaluation" / system, _key(f"{profile}-{system}")
        try:
            tables += _published(root / "stages" / system / "published.yaml", folder / "metrics.json", key, system)
            tables += _claims(folder / "claims.json", key, system)
        except (InputError, ValueError, KeyError) as error:
            complaints.append({"complaint": f"{system}: no artifact: {error}"})
    return tables + complaints


def _published(source: Path, metrics: Path, key: str, system: str) -> Iterator[Artifact]:
    if not source.exists() or not metrics.exists():
        return
    measured = json.loads(metrics.read_text(encoding="utf-8"))
    repeated = replicates.Replicates(measured, replicate_files.read(metrics.with_name("replicates.parquet")))
    paper = published.read(source)
    for table in paper.tables:
        rows: list[dict[str, object]] = [
            {name: value for name in ("dataset", "variant", "item", "column") if (value := getattr(row, name))}
            | {
                "published": row.value,
                "measured": _number(row.measured),
                "interval": _interval(row.interval),
                "difference": _number(row.difference),
            }
            for row in published.compare(table, measured, str(source), repeated)
        ]
        yield {
            "key": f"{key}-{_key(table.id)}",
            "description": f"**{system}**: {table.caption} (published versus measured; {paper.paper.title})",
            "table": rows,
        }


def _claims(source: Path, key: str, system: str) -> Iterator[Artifact]:
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
    description = f"**{system}**, claims: {verdict_counts}"
    yield {"key": f"{key}-claims", "description": description, "markdown": "\n".join(lines)}


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9-]+", "-", name.lower())


def _interval(interval: Sequence[float] | None) -> str:
    return f"{interval[0]:.4g} to {interval[1]:.4g}" if interval else ""


def _number(value: object) -> object:
    return "" if value is None else float(f"{value:.6g}") if isinstance(value, float) else value


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
