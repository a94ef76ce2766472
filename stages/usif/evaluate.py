"""data/corpora/usif, data/vectors, data/models/usif -> data/evaluation/usif: metrics, claims, plots, figures."""

from repline.systems.usif.evaluation import evaluate
from repline.systems.usif.settings import load
from repline.systems.usif.weighted_words import WeightedWords
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, MODELS, VECTORS
from stages.usif import figures


def main() -> None:
    settings = load()
    corpus = CORPORA / "usif"
    words = WeightedWords.read(VECTORS / settings.vectors, corpus)
    evaluation = evaluate(settings, corpus, words, MODELS / "usif")
    conclude("usif", evaluation, figures.figures(evaluation.metrics), figures.plots(evaluation.metrics))


if __name__ == "__main__":
    run(main)
