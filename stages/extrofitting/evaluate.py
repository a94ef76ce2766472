"""data/evaluation/extrofitting/lexicons -> data/evaluation/extrofitting: metrics, claims, plots, figures."""

from repline.evaluation.evaluations import Evaluation
from repline.systems.extrofitting.evaluation import evaluate
from repline.systems.extrofitting.settings import load
from stages import run
from stages.conclusion import conclude
from stages.extrofitting import figures
from stages.folders import EVALUATION


def main() -> None:
    settings = load()
    folder = EVALUATION / "extrofitting" / "lexicons"
    measured = [
        (lexicon, Evaluation.load(folder / f"{lexicon}-{source}"))
        for lexicon in settings.lexicons
        for source in settings.benchmarks
    ]
    evaluation = evaluate(measured, settings)
    by_vectors = {vectors: evaluation.metrics[vectors] for vectors in settings.vectors}
    conclude("extrofitting", evaluation, figures.figures(by_vectors), figures.plots(by_vectors))


if __name__ == "__main__":
    run(main)
