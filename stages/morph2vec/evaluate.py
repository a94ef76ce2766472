"""data/evaluation/morph2vec/spaces -> data/evaluation/morph2vec: metrics, claims, figures, plots."""

from repline.evaluation.evaluations import Evaluation
from repline.systems.morph2vec.settings import load
from stages import run
from stages.conclusion import conclude
from stages.folders import EVALUATION
from stages.morph2vec import figures


def main() -> None:
    folder = EVALUATION / "morph2vec" / "spaces"
    evaluation = Evaluation.side_by_side({space: Evaluation.load(folder / space) for space in load().spaces})
    conclude("morph2vec", evaluation, figures.figures(evaluation.metrics), figures.plots(evaluation.metrics))


if __name__ == "__main__":
    run(main)
