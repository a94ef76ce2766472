"""data/models/rnn_cnn, data/evaluation/rnn_cnn/scores -> data/evaluation/rnn_cnn: metrics, claims, figures, plots."""

from repline.cards import read_card
from repline.evaluation.evaluations import Evaluation
from repline.systems.rnn_cnn.corpus import read_corpus
from repline.systems.rnn_cnn.evaluation import AVERAGE, evaluate
from repline.systems.rnn_cnn.settings import Settings, load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, MODELS
from stages.rnn_cnn import figures, scores


def main() -> None:
    settings = load()
    evaluation = Evaluation.side_by_side({corpus: evaluate_corpus(corpus, settings) for corpus in settings.corpora})
    rows = figures.rows(evaluation.metrics)
    conclude("rnn_cnn", evaluation, figures.charts_of(evaluation.metrics), {"accuracy": rows})


def evaluate_corpus(corpus: str, settings: Settings) -> Evaluation:
    """Every variant on one corpus, whose counts are among the metrics."""
    folder, recipes = CORPORA / "rnn_cnn" / corpus, settings.recipes_on(corpus)
    evaluation = evaluate(
        {method: scores.read(corpus, method) for method in (AVERAGE, *recipes)},
        {variant: runs(MODELS / "rnn_cnn" / corpus / variant) for variant in recipes},
        {variant: recipe.targets for variant, recipe in recipes.items()},
        read_corpus(folder),
    )
    evaluation.metrics["counts"] = read_card(folder)["counts"]
    return evaluation


if __name__ == "__main__":
    run(main)
