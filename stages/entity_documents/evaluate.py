"""data/models/entity_documents -> data/evaluation/entity_documents: metrics, claims, figures, plots."""

from repline.cards import read_card
from repline.evaluation.evaluations import Evaluation
from repline.systems.entity_documents.evaluation import evaluate
from repline.systems.entity_documents.settings import Settings, load
from stages import run
from stages.conclusion import conclude
from stages.entity_documents import figures
from stages.folders import CORPORA, MODELS


def main() -> None:
    settings = load()
    evaluation = Evaluation.side_by_side({corpus: evaluate_corpus(corpus, settings) for corpus in settings.corpora})
    near = {corpus: details["nearest"] for corpus, details in evaluation.details.items()}
    drawn = figures.figures(evaluation.metrics, near)
    conclude("entity_documents", evaluation, drawn, figures.plots(evaluation.metrics))


def evaluate_corpus(corpus: str, settings: Settings) -> Evaluation:
    """All classifiers on one corpus, whose counts are among the metrics."""
    folder, models = CORPORA / "entity_documents" / corpus, MODELS / "entity_documents"
    evaluation = evaluate(folder, models / "networks" / corpus, models / "linear" / corpus, settings)
    evaluation.metrics["documents"] = read_card(folder)["counts"]
    return evaluation


if __name__ == "__main__":
    run(main)
