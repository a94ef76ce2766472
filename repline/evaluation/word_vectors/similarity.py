"""Word similarity and relatedness: correlation of cosines with people's scores of word pairs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repline.evaluation.correlation import pearson, spearman
from repline.evaluation.word_vectors.embedding import Embedding


def similarity(embedding: Embedding, pairs: Sequence[tuple[str, str]], scores: ArrayLike) -> dict[str, float | None]:
    """Rank and linear correlation of cosines with human scores, in two ways of treating missing words.

    "Kept": pairs with a missing word are left out, as by gensim's `evaluate_word_pairs` and most papers. Two
    vocabularies are then judged on different pairs. "Penalised": a missing word has the mean vector of the vocabulary,
    as in the benchmark suite of Jastrzębski et al. (so two missing words have the cosine 1), and every vocabulary is
    judged on every pair. Equal cosines and equal scores have their average rank.

    Args:
        pairs: [n].
        scores: [n], larger for more similar words, in any unit.

    Returns:
        spearman, pearson (of the pairs kept), spearman_penalised, pearson_penalised (of all), each None where there
        are fewer than three pairs or all are equal; pairs, kept, and coverage = kept / pairs.

    Raises:
        ValueError: not one score for each pair.

    Source: Jastrzębski, Leśniak & Czarnecki 2017, "How to evaluate word embeddings?", section 3.
    """
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (len(pairs),):
        raise ValueError(f"expected one score for each of {len(pairs)} pairs, found an array of shape {scores.shape}")
    cosines, is_known = pair_cosines(embedding, pairs)
    pair_count = int(is_known.sum())
    return {
        "spearman": spearman(cosines[is_known], scores[is_known]),
        "pearson": pearson(cosines[is_known], scores[is_known]),
        "spearman_penalised": spearman(cosines, scores) if pair_count else None,
        "pearson_penalised": pearson(cosines, scores) if pair_count else None,
        "pairs": len(pairs),
        "kept": pair_count,
        "coverage": pair_count / len(pairs) if len(pairs) else 0.0,
    }


def pair_cosines(embedding: Embedding, pairs: Sequence[tuple[str, str]]) -> tuple[NDArray, NDArray]:
    """[n] cosines, a missing word with the mean vector of the vocabulary; [n] bool, whether both words are known."""
    first, second = (embedding.rows(pair[side] for pair in pairs) for side in (0, 1))
    return embedding.cosines(first, second), (first >= 0) & (second >= 0)
