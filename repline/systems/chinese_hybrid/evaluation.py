"""Tests of one vector space, as numbers and on resampled items: analogies, whose pairs are drawn, and similarity.

Every number is computed for many weights of the test items at once, [R]: the first row of weights counts each item
once and gives the number itself, the others are replicates (`repline.evaluation.replication.weighted_draws`).

The questions of a section are made of few pairs (30 capitals make 870 questions), and those that share a pair are not
independent. So a replicate draws pairs, and a question counts as often as its two pairs together: the product.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.replication.bootstrap import REPLICATES
from repline.evaluation.replication.weighted_draws import mean_of_draws, spearman_of_draws, weights_of
from repline.evaluation.word_vectors.analogy import answer_ranks
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines


@dataclass(frozen=True)
class Questions:
    """One section of analogy questions, of which those with an unknown word are told apart.

    Attributes:
        rows: [n, 4] of an embedding, of the questions that can be answered.
        asked: how many questions there are, answerable or not.
        weights: [1 + R, n].
    """

    rows: NDArray[np.int64]
    asked: int
    weights: NDArray[np.int64]


def answerable(embedding: Embedding, questions: Sequence[Sequence[str]], replicates: int = REPLICATES) -> Questions:
    """The questions of a section whose four words are known, with the draws of their pairs."""
    rows = embedding.rows(word for question in questions for word in question).reshape(-1, 4)
    rows = rows[(rows >= 0).all(1)]
    pairs, places = np.unique(rows.reshape(-1, 2), axis=0, return_inverse=True)
    first, second = places.reshape(-1, 2).T
    drawn = weights_of(len(pairs), replicates) if len(pairs) else np.ones((1 + replicates, 0), dtype=np.int64)
    return Questions(rows, len(questions), drawn[:, first] * drawn[:, second])


def analogies_of(embedding: Embedding, questions: Questions) -> dict[str, NDArray[np.float64]]:
    """Accuracy by 3CosAdd and 3CosMul, and the mean reciprocal rank of the answers by 3CosAdd: [1 + R] each.

    "add", "mul" and "mrr" are of the questions that can be answered; "add_all" and "mul_all" are shares of all, those
    that cannot be answered being wrong, as in the paper.
    """
    ranks = {method: answer_ranks(embedding, questions.rows, method=method) for method in ("add", "mul")}
    found = {method: mean_of_draws(rank == 1, questions.weights) for method, rank in ranks.items()}
    known = len(questions.rows) / questions.asked
    return {
        **found,
        "mrr": mean_of_draws(1 / ranks["add"], questions.weights),
        **{f"{method}_all": np.nan_to_num(value) * known for method, value in found.items()},
    }


def similarity_of(
    embedding: Embedding, pairs: Sequence[tuple[str, str]], scores: NDArray, weights: NDArray
) -> dict[str, NDArray[np.float64]]:
    """Spearman's correlation over the pairs whose words are both known: [1 + R].

    Args:
        scores: [n]. weights: [1 + R, n].
    """
    cosines, known = pair_cosines(embedding, pairs)
    return {"spearman": spearman_of_draws(cosines[known], scores[known], weights[:, known])}


def neighbours(embedding: Embedding, word: str, number: int = 10) -> list[str]:
    """The nearest words by cosine, the nearest first; none for an unknown word."""
    (row,) = embedding.rows([word])
    if row < 0:
        return []
    everything = np.arange(len(embedding))
    cosines = embedding.cosines(np.full(len(embedding), row), everything)
    order = np.argsort(-cosines, kind="stable")
    return [embedding.words[other] for other in order[: number + 1] if other != row][:number]


def counts(questions: Questions) -> dict[str, Any]:
    """How many questions there are, and how many can be answered."""
    return {"questions": questions.asked, "kept": len(questions.rows)}
