"""data/models/definition_nli -> data/evaluation/definition_nli: metrics, claims, figures, plots."""

from repline.cards import read_card
from repline.evaluation.evaluations import Evaluation
from repline.systems.definition_nli.corpus import read_data
from repline.systems.definition_nli.evaluation import evaluate
from repline.systems.definition_nli.settings import Settings, load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.definition_nli import figures
from stages.folders import CORPORA, MODELS


def main() -> None:
    settings = load()
    evaluation = Evaluation.side_by_side({corpus: evaluate_corpus(corpus, settings) for corpus in settings.corpora})
    charts, rows = figures.charts_of(evaluation.metrics, settings), figures.rows(evaluation.metrics, settings)
    conclude("definition_nli", evaluation, charts, {"accuracy": rows})


def evaluate_corpus(corpus: str, settings: Settings) -> Evaluation:
    """Every variant on one corpus, whose counts are among the metrics."""
    folder = CORPORA / "definition_nli" / corpus
    models = {variant: runs(MODELS / "definition_nli" / corpus / variant) for variant in settings.variants}
    evaluation = evaluate(models, read_data(folder))
    evaluation.metrics["counts"] = read_card(folder)["counts"]
    return evaluation


if __name__ == "__main__":
    run(main)
