"""data/vectors/wordnet-embeddings, data/models/wordnet_embeddings, tests -> data/evaluation/wordnet_embeddings."""

from repline.systems.wordnet_embeddings.corpus import similarity_tests
from repline.systems.wordnet_embeddings.evaluation import evaluate
from repline.systems.wordnet_embeddings.settings import DEFAULT, load
from stages import run
from stages.conclusion import conclude
from stages.folders import MODELS
from stages.wordnet_embeddings import figures, train


def main() -> None:
    settings = load()
    names = (*settings.variants, *settings.baselines)
    folders = {DEFAULT: train.FOLDER} | {name: MODELS / "wordnet_embeddings" / name for name in names}
    evaluation = evaluate(folders, settings, similarity_tests(settings))
    metrics = evaluation.metrics
    charts = figures.figures(metrics, list(settings.baselines))
    conclude("wordnet_embeddings", evaluation, charts, figures.plots(metrics))


if __name__ == "__main__":
    run(main)
