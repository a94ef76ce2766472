"""data/evaluation/morph2vec/spaces -> data/evaluation/morph2vec: metrics, claims, figures, plots."""

import json
from pathlib import Path

from repline.evaluation.evaluations import Evaluation
from repline.evaluation.replication.replicate_files import read as read_replicates
from repline.systems.morph2vec.settings import load
from stages import run
from stages.conclusion import conclude
from stages.folders import EVALUATION
from stages.morph2vec import figures


def main() -> None:
    folder = EVALUATION / "morph2vec" / "spaces"
    evaluation = Evaluation.side_by_side({space: evaluation_of(folder / space) for space in load().spaces})
    conclude("morph2vec", evaluation, figures.figures(evaluation.metrics), figures.plots(evaluation.metrics))


def evaluation_of(folder: Path) -> Evaluation:
    """What was measured on one space."""
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    return Evaluation(scores, read_replicates(folder / "replicates.parquet"))


if __name__ == "__main__":
    run(main)
