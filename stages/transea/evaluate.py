"""data/evaluation/transea/graphs -> data/evaluation/transea: metrics, claims, figures, plots."""

import json
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation
from repline.evaluation.replication.replicate_files import read as read_replicates
from repline.systems.transea.settings import load
from stages import run
from stages.conclusion import conclude
from stages.folders import EVALUATION
from stages.transea import figures


def main() -> None:
    folder = EVALUATION / "transea" / "graphs"
    evaluation = Evaluation.side_by_side({graph: evaluation_of(folder / graph) for graph in load().graphs})
    relations = {graph: details["relations"] for graph, details in evaluation.details.items()}
    charts, plots = figures.figures(evaluation.metrics), figures.plots(evaluation.metrics, relations)
    conclude("transea", evaluation, charts, plots)


def evaluation_of(folder: Path) -> Evaluation:
    """What was measured on one graph; InputError where nothing was."""
    scores, relations = (_read(folder / f"{name}.json") for name in ("scores", "relations"))
    unfinished = [name for name, group in scores.items() if group.get("training", {}).get("unfinished")]
    return Evaluation(scores, read_replicates(folder / "replicates.parquet"), {"relations": relations}, unfinished)


def _read(path: Path) -> Any:
    if not path.is_file():
        step = f"python -m stages.transea.measure_graph {path.parent.name}"
        raise InputError(f"{path}: there is no such file; run `{step}`")
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    run(main)
