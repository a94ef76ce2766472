"""Synonym questions in the manner of TOEFL: which of a few words means the same as the one asked for."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.nested_measures import Metric
from repline.evaluation.replication.weighted_draws import ROUNDING
from repline.evaluation.word_vectors.embedding import Embedding


def synonyms(embedding: Embedding, questions: Sequence[Sequence[str]]) -> dict[str, Metric]:
    """The share of questions whose answer has a higher cosine with the word than every other option; a tie is wrong.

    "accuracy" leaves out questions with any missing word; "accuracy_penalised" is over all of them: a missing word or
    answer is wrong, a missing wrong option cannot be chosen.

    Args:
        questions: [n] of (word, right option, wrong options...), at least one wrong.

    Returns:
        accuracy (None if no question is kept), accuracy_penalised, questions, kept, coverage = kept / questions.

    Raises:
        ValueError: a question without a wrong option.

    Source: Landauer & Dumais 1997, "A solution to Plato's problem".
    """
    correct, is_whole = [], []
    for question in questions:
        if len(question) < 3:
            raise ValueError(f"expected a word, its synonym and at least one other option, found {question!r}")
        rows = embedding.rows(question)
        is_whole.append(bool((rows >= 0).all()))
        if (rows[:2] < 0).any():
            correct.append(False)
            continue
        options = rows[1:][rows[1:] >= 0]
        cosines = embedding.cosines(np.full(len(options), rows[0]), options)
        correct.append(is_nearest(cosines))
    correct_count = sum(is_correct for is_correct, whole in zip(correct, is_whole, strict=True) if whole)
    return {
        "accuracy": correct_count / sum(is_whole) if any(is_whole) else None,
        "accuracy_penalised": sum(correct) / len(questions) if questions else 0.0,
        "questions": len(questions),
        "kept": sum(is_whole),
        "coverage": sum(is_whole) / len(questions) if questions else 0.0,
    }


def is_nearest(cosines: NDArray) -> bool:
    """Whether the first of some cosines is the highest alone, by more than rounding."""
    return bool((cosines[0] > cosines[1:] + ROUNDING).all())
