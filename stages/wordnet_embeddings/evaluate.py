"""data/vectors/wordnet-embeddings, data/models/wordnet_embeddings, tests -> data/evaluation/wordnet_embeddings."""

from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import read_card
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import similarity
from repline.systems.wordnet_embeddings.settings import read
from repline.vectors import store
from stages import run
from stages.conclusion import conclude
from stages.wordnet_embeddings import figures, inputs

VARIANTS = Path("data/models/wordnet_embeddings")
DEFAULT = Path("data/vectors/wordnet-embeddings")


def main() -> None:
    settings, variants = read()
    tests = inputs.tests(settings)
    folders = {name: VARIANTS / name for name in variants} | {"default": DEFAULT}
    folders["baseline"] = Path("data/vectors") / settings.baseline
    ours = Embedding(*store.words_and_matrix(DEFAULT))
    metrics: dict[str, Any] = {}
    for name, folder in folders.items():
        embedding = Embedding(*store.words_and_matrix(folder))
        metrics[name] = {metric(test): score(embedding, ours, *pairs) for test, pairs in tests.items()}
        if name != "baseline":
            metrics[name]["graph"] = shape(read_card(folder)["counts"])
    conclude("wordnet_embeddings", metrics, figures.figures(metrics), figures.plots(metrics))


def metric(test: str) -> str:
    """A test's name as a key of the metrics: SimLex-999 -> simlex_999."""
    return test.lower().replace("-", "_")


def score(embedding: Embedding, ours: Embedding, pairs: list[tuple[str, str]], scores: list[float]) -> dict[str, Any]:
    """One test, and under `shared` the pairs that the default vectors know too, by both."""
    known = np.ones(len(pairs), dtype=bool)
    for vectors in (embedding, ours):
        for side in (0, 1):
            known &= vectors.rows(pair[side] for pair in pairs) >= 0
    shared = [pair for pair, both in zip(pairs, known, strict=True) if both]
    rest = [value for value, both in zip(scores, known, strict=True) if both]
    own, default = (similarity(vectors, shared, rest) for vectors in (embedding, ours))
    return similarity(embedding, pairs, scores) | {
        "shared": {"pairs": len(shared), "spearman": own["spearman"], "spearman_of_default": default["spearman"]}
    }


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
