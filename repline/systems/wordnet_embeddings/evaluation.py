"""Word similarity of vectors beside those of the default graph, on the pairs that both know."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from repline.evaluation.replication.weighted_draws import draws, pearson_of_draws, spearman_of_draws
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines, similarity, spearman

Pairs = tuple[Sequence[tuple[str, str]], Sequence[float]]


def compared(
    embedding: Embedding, default: Embedding, tests: Mapping[str, Pairs]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Every test, and under "shared" its pairs that the default vectors know too, by both.

    Args:
        tests: pairs and scores, by name.

    Returns:
        {test: what `similarity` gives, and "shared": {pairs, spearman, spearman_of_default}}; the correlations in
        replicates of resampled pairs, [R] each, the same pairs whatever the vectors.
    """
    found, repeated = {}, {}
    for test, (pairs, given) in tests.items():
        scores, weights = np.asarray(given, dtype=np.float64), draws(len(pairs))
        cosines, known = pair_cosines(embedding, pairs)
        theirs, shared = pair_cosines(default, pairs)
        shared &= known
        found[test] = similarity(embedding, pairs, scores) | {
            "shared": {
                "pairs": int(shared.sum()),
                "spearman": spearman(cosines[shared], scores[shared]),
                "spearman_of_default": spearman(theirs[shared], scores[shared]),
            }
        }
        repeated[test] = {
            "spearman": spearman_of_draws(cosines[known], scores[known], weights[:, known]),
            "pearson": pearson_of_draws(cosines[known], scores[known], weights[:, known]),
            "shared": {
                "spearman": spearman_of_draws(cosines[shared], scores[shared], weights[:, shared]),
                "spearman_of_default": spearman_of_draws(theirs[shared], scores[shared], weights[:, shared]),
            },
        }
    return found, repeated
