"""Word similarity where a missing word has a random vector, as some published numbers were made."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import spearman


def cosines_with_random_missing(
    embedding: Embedding, pairs: Sequence[tuple[str, str]], seed: int = 0
) -> NDArray[np.float64]:
    """The cosines of all pairs; every occurrence of a missing word has a fresh N(0, 1) vector: [n].

    Build the embedding with `ignore_case=False` for the protocol of the retrofitting and extrofitting programs: a pair
    with a capital letter is then a pair with a missing word in lower-case vectors.

    Args:
        pairs: [n].
        seed: of the vectors.
    """
    random = np.random.default_rng(seed)
    directions = []
    for side in (0, 1):
        rows = embedding.rows(pair[side] for pair in pairs)
        vectors = embedding.vectors(rows)
        vectors[rows < 0] = random.normal(size=((rows < 0).sum(), vectors.shape[1]))
        directions.append(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    return (directions[0] * directions[1]).sum(1)


def spearman_with_random_missing(
    embedding: Embedding, pairs: Sequence[tuple[str, str]], scores: ArrayLike, seed: int = 0
) -> float | None:
    """Spearman's correlation of these cosines with people's scores [n], average ranks for ties.

    None where it says nothing (fewer than three pairs, all equal).
    """
    cosines = cosines_with_random_missing(embedding, pairs, seed)
    return spearman(cosines, np.asarray(scores, dtype=np.float64))
