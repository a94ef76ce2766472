"""data/models/multilingual_seq2seq -> data/evaluation/multilingual_seq2seq: metrics, claims, figures, plots."""

from repline.evaluation.evaluations import Evaluation
from repline.systems.multilingual_seq2seq.corpus import read_data
from repline.systems.multilingual_seq2seq.evaluation import evaluate
from repline.systems.multilingual_seq2seq.settings import Settings, load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, MODELS
from stages.multilingual_seq2seq import figures


def main() -> None:
    settings = load()
    evaluation = Evaluation.side_by_side({corpus: evaluate_corpus(corpus, settings) for corpus in settings.corpora})
    charts, rows = figures.figures(evaluation.metrics), figures.rows(evaluation.metrics)
    conclude("multilingual_seq2seq", evaluation, charts, rows)


def evaluate_corpus(corpus: str, settings: Settings) -> Evaluation:
    """Every variant that is trained on one corpus, and its further tests."""
    folder, recipes = CORPORA / "multilingual_seq2seq", settings.recipes_on(corpus)
    data = read_data(folder / corpus, [folder / test for test in settings.tests_of(corpus)])
    models = {variant: runs(MODELS / "multilingual_seq2seq" / corpus / variant) for variant in recipes}
    evaluation = evaluate(data, models, next(iter(recipes.values())), settings.corpora[corpus], settings)
    print(f"{corpus}: {', '.join(models)} measured", flush=True)
    return evaluation


if __name__ == "__main__":
    run(main)
