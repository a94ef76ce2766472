"""Outlier detection: the word that does not belong to a group."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.word_vectors.embedding import Embedding


def outlier_detection(
    embedding: Embedding, groups: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> dict[str, float | None]:
    """Accuracy and outlier position percentage (OPP).

    A question is a group W of words that belong together and one outlier w. The words of W and w are ordered by
    compactness, the mean cosine with all the others, falling; the position of the outlier is 0 to |W|, and the outlier
    is detected at |W|. A word as compact as the outlier counts as standing after it.

        accuracy = detected / questions,   OPP = mean of position / |W|

    Words of W without a vector are left out. Without a vector of the outlier, or with fewer than two words of W, there
    is no question: "accuracy" and "opp" leave it out, the penalised ones count it as position 0.

    Args:
        groups: [n] of (words that belong together, outliers); each outlier is one question with its whole group.

    Returns:
        accuracy, opp (None if no question is kept), accuracy_penalised, opp_penalised, questions, kept,
        coverage = kept / questions.

    Source: Camacho-Collados & Navigli 2016, "Find the word that does not belong", section 2.
    """
    positions, questions = [], 0
    for members, outliers in groups:
        inside = embedding.rows(members)
        inside = inside[inside >= 0]
        questions += len(outliers)
        for row in embedding.rows(outliers):
            if row >= 0 and len(inside) >= 2:
                positions.append(position(embedding.directions(np.append(inside, row))) / len(inside))
    detected = sum(share == 1 for share in positions)
    return {
        "accuracy": detected / len(positions) if positions else None,
        "opp": float(np.mean(positions)) if positions else None,
        "accuracy_penalised": detected / questions if questions else 0.0,
        "opp_penalised": float(np.sum(positions)) / questions if questions else 0.0,
        "questions": questions,
        "kept": len(positions),
        "coverage": len(positions) / questions if questions else 0.0,
    }


def position(directions: NDArray) -> int:
    """The rank of the last word among all words, by decreasing compactness: 0 to n - 1.

    Args:
        directions: [n, d], unit vectors.
    """
    cosines = directions @ directions.T
    np.fill_diagonal(cosines, 0)
    compactness = cosines.sum(axis=1)
    # sums in different orders of the same cosines differ in the last bits
    return int((compactness[:-1] > compactness[-1] + 1e-12).sum())
