"""data/vectors/wordnet-embeddings, data/models/wordnet_embeddings, tests -> data/evaluation/wordnet_embeddings."""

from typing import Any

from repline.cards import read_card
from repline.evaluation.replication.weighted_draws import as_parts
from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.wordnet_embeddings.evaluation import compared
from repline.systems.wordnet_embeddings.settings import DEFAULT, read
from repline.vectors import store
from stages import run
from stages.conclusion import conclude
from stages.wordnet_embeddings import figures, inputs, train
from stages.wordnet_embeddings.variant import FOLDER


def main() -> None:
    settings, variants = read()
    tests = {metric(name): test for name, test in inputs.tests(settings).items()}
    folders = {name: train.FOLDER if name == DEFAULT else FOLDER / name for name in (*variants, *settings.baselines)}
    ours = Embedding(*store.words_and_matrix(train.FOLDER))
    metrics: dict[str, Any] = {}
    repeated: dict[str, Any] = {}
    for name, folder in folders.items():
        metrics[name], repeated[name] = compared(Embedding(*store.words_and_matrix(folder)), ours, tests)
        if name not in settings.baselines:
            metrics[name]["graph"] = shape(read_card(folder)["counts"])
    baselines = list(settings.baselines)
    plots = figures.plots(metrics)
    conclude("wordnet_embeddings", metrics, figures.figures(metrics, baselines), plots, as_parts(repeated))


def metric(test: str) -> str:
    """A test's name as a key of the metrics: SimLex-999 -> simlex_999."""
    return test.lower().replace("-", "_")


def shape(counts: dict[str, int]) -> dict[str, float]:
    """What a graph is like: its words, neighbours a word, senses an entry, and the share of affinities not 0."""
    counts = {key.removeprefix("graph_"): value for key, value in counts.items()} | {
        key: value for key, value in counts.items() if key.startswith("graph_")
    }
    words = counts.get("graph_words", counts["words"])
    return {
        "words": words,
        "neighbours": counts["related_pairs"] / words,
        "ambiguity": counts["senses"] / counts["entries"],
        "density": counts["affinities"] / words**2,
    }


if __name__ == "__main__":
    run(main)
