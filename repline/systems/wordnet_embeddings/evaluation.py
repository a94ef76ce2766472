"""Word similarity of vectors compared with those of the default graph, on the pairs that both know."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from repline.cards import read_card
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Array, Metric
from repline.evaluation.replication.weighted_draws import as_parts, draws, pearson_of_draws, spearman_of_draws
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines, similarity, spearman
from repline.systems.wordnet_embeddings.corpus import Pairs
from repline.systems.wordnet_embeddings.settings import DEFAULT, Settings
from repline.vectors import store


def evaluate(folders: Mapping[str, Path], settings: Settings, tests: Mapping[str, Pairs]) -> Evaluation:
    """Every variant and baseline on every test, compared with the default graph, and statistics of their graphs.

    Args:
        folders: of the vectors of the default, of every variant and of every baseline, by name.
        tests: pairs and scores, by name.
    """
    default = Embedding(*store.words_and_matrix(folders[DEFAULT]))
    metrics: Metrics = {}
    repeated: dict[str, Array] = {}
    for name, folder in folders.items():
        metrics[name], repeated[name] = compared(Embedding(*store.words_and_matrix(folder)), default, tests)
        if name not in settings.baselines:
            metrics[name]["graph"] = graph_shape(read_card(folder)["counts"])
    return Evaluation(metrics, as_parts(repeated))


def graph_shape(counts: Mapping[str, int]) -> dict[str, float]:
    """Statistics of a graph: its words, neighbours per word, senses per entry, and the share of affinities above 0.

    Args:
        counts: of the card of some vectors; of a variant's, those of its graph begin with "graph_".
    """
    graph_counts = {key.removeprefix("graph_"): value for key, value in counts.items() if key.startswith("graph_")}
    counts = graph_counts or counts
    return {
        "words": counts["words"],
        "neighbours": counts["related_pairs"] / counts["words"],
        "ambiguity": counts["senses"] / counts["entries"],
        "density": counts["affinities"] / counts["words"] ** 2,
    }


def compared(
    embedding: Embedding, default: Embedding, tests: Mapping[str, Pairs]
) -> tuple[dict[str, Metric], dict[str, Array]]:
    """Similarity on every test, and under "shared" that of both vectors on the pairs that the default ones know too.

    Args:
        tests: pairs and scores, by name.

    Returns:
        {test: what `similarity` gives, and "shared": {pairs, spearman, spearman_of_default}}; the correlations in
        replicates of resampled pairs, [R] each, the same pairs whatever the vectors.
    """
    measured, repeated = dict[str, Metric](), dict[str, Array]()
    for test, (pairs, human_scores) in tests.items():
        scores, weights = np.asarray(human_scores, dtype=np.float64), draws(len(pairs))
        cosines, have_vectors = pair_cosines(embedding, pairs)
        default_cosines, shared = pair_cosines(default, pairs)
        shared &= have_vectors
        measured[test] = {
            **similarity(embedding, pairs, scores),
            "shared": {
                "pairs": int(shared.sum()),
                "spearman": spearman(cosines[shared], scores[shared]),
                "spearman_of_default": spearman(default_cosines[shared], scores[shared]),
            },
        }
        repeated[test] = {
            "spearman": spearman_of_draws(cosines[have_vectors], scores[have_vectors], weights[:, have_vectors]),
            "pearson": pearson_of_draws(cosines[have_vectors], scores[have_vectors], weights[:, have_vectors]),
            "shared": {
                "spearman": spearman_of_draws(cosines[shared], scores[shared], weights[:, shared]),
                "spearman_of_default": spearman_of_draws(default_cosines[shared], scores[shared], weights[:, shared]),
            },
        }
    return measured, repeated
