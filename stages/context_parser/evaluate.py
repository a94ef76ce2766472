"""data/models/context_parser/completions -> data/evaluation/context_parser: metrics, claims, figures, plots."""

from repline.evaluation.evaluations import Evaluation
from repline.systems.context_parser.completions import read_completions
from repline.systems.context_parser.evaluation import evaluate
from repline.systems.context_parser.settings import load
from stages import run
from stages.conclusion import conclude
from stages.context_parser import figures
from stages.folders import MODELS


def main() -> None:
    settings = load()
    folder = MODELS / "context_parser" / "completions"
    parts = {name: evaluate(read_completions(folder / name)) for name in (*settings.corpora, *settings.authors)}
    evaluation = Evaluation.side_by_side(parts)
    charts, plots = figures.figures(evaluation.metrics, settings), figures.plots(evaluation.metrics, settings)
    conclude("context_parser", evaluation, charts, plots)


if __name__ == "__main__":
    run(main)
