"""What the evaluation wrote, as artifacts of the flow run: published versus measured, and the claims."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from prefect import get_run_logger
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from repline.errors import InputError
from repline.evaluation.claims import published


def publish(root: Path, profile: str, written: Iterable[str]) -> None:
    """One artifact a published table and one for the claims of each system that was evaluated in this run.

    Args:
        written: the outputs of the stages that ran, relative to `root`.
    """
    parts = [Path(out).parts for out in written]
    for folder in sorted({root.joinpath(*one[:3]) for one in parts if one[:2] == ("data", "evaluation") and one[2:]}):
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
    paper = published.read(source)
    for table in paper["tables"]:
        rows = [
            {name: row.get(name, "") for name in ("dataset", "variant", "item", "column") if row.get(name)}
            | {
                "published": row["value"],
                "measured": _number(row["measured"]),
                "difference": _number(row["difference"]),
            }
            for row in published.compare(table, measured, str(source))
        ]
        create_table_artifact(
            rows,
            key=f"{key}-{re.sub(r'[^a-z0-9-]+', '-', str(table['id']).lower())}",
            description=f"**{system}**: {table['caption']} (published versus measured; {paper['paper']['title']})",
        )


def _claims(source: Path, key: str, system: str) -> None:
    if not source.exists():
        return
    claims = json.loads(source.read_text(encoding="utf-8"))
    lines = [f"# Claims of {system}", "", "| verdict | scale | claim | expected | measured |", "|---|---|---|---|---|"]
    for claim in claims:
        cells = (claim["verdict"], claim["scale"], claim["text"], claim["expected"], _number(claim["measured"]))
        lines.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    held = sum(claim["verdict"] == "holds" for claim in claims)
    create_markdown_artifact(
        "\n".join(lines), key=f"{key}-claims", description=f"**{system}**: {held} of {len(claims)} claims hold"
    )


def _number(value: Any) -> Any:
    return "" if value is None else float(f"{value:.6g}") if isinstance(value, float) else value


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
