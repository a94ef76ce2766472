"""Tests of antonyms in a vector space: questions with one opposite among the options, and antonyms against synonyms."""

from collections.abc import Container, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines

Rule = Literal["farthest", "nearest"]


class Question(NamedTuple):
    """A word, its options, and which of them is the opposite; the first `related` options are near it in meaning."""

    cue: str
    options: tuple[str, ...]
    answer: int = 0
    related: int = 0


def closest_opposite(
    embedding: Embedding, questions: Sequence[Question], rule: Rule = "farthest", *, related: bool = False
) -> dict[str, Any]:
    """Multiple choice: the option with the largest ("farthest") or least cosine distance to the cue.

        precision = right / answered,   recall = right / all,   F1 = 2 P R / (P + R)

    An unknown option is no candidate; a question is unanswered when its cue or all its options are unknown.

    Args:
        related: choose among the first `related` options of each question only (the opposite and the synonyms).

    Returns:
        f1, precision, recall, questions, answered; f1 equals the accuracy when everything is answered.

    Source: Mohammad, Dorr, Hirst and Turney 2013; Vulić and Korhonen 2018, section 3, task 2.
    """
    sign = -1.0 if rule == "farthest" else 1.0
    right = answered = 0
    for question in questions:
        options = question.options[: question.related] if related else question.options
        rows = embedding.rows([question.cue, *options])
        if rows[0] < 0 or (rows[1:] < 0).all():
            continue
        answered += 1
        cosines = embedding.cosines(np.full(len(options), rows[0]), rows[1:])
        right += int(np.where(rows[1:] >= 0, sign * cosines, -np.inf).argmax() == question.answer)
    return _choices(right, answered, len(questions))


def looked_up(questions: Sequence[Question], antonyms: Container[frozenset[str]]) -> dict[str, Any]:
    """The baseline without vectors: the option that the constraints call an antonym of the cue, else no answer.

    Returns:
        As `closest_opposite`.

    Source: Vulić and Korhonen 2018, table 3 (constraints lookup).
    """
    right = answered = 0
    for question in questions:
        found = [
            place for place, option in enumerate(question.options) if frozenset((question.cue, option)) in antonyms
        ]
        answered += bool(found)
        right += bool(found) and found[0] == question.answer
    return _choices(right, answered, len(questions))


def contrast(
    embedding: Embedding,
    validation: tuple[Sequence[tuple[str, str]], NDArray],
    test: tuple[Sequence[tuple[str, str]], NDArray],
) -> dict[str, Any]:
    """Synonyms above a cosine, antonyms at or below it; the threshold is the best one of the validation pairs.

    Args:
        validation, test: pairs [n] and labels [n], 1 for an antonym, 0 for a synonym. The candidates for the threshold
            are the observed cosines; the best has the largest F1 of synonyms, and of equals the smallest.

    Returns:
        f1_synonym, f1_antonym and their mean f1 on the test pairs, of which one with a missing word is an error in
        both classes; threshold, pairs, kept.

    Source: Vulić and Korhonen 2018, section 3, task 3 (which class is positive is not stated).
    """
    cosines, known = pair_cosines(embedding, validation[0])
    antonym = np.asarray(validation[1]) == 1
    candidates = np.unique(np.concatenate([[-1.0], cosines[known]]))
    scores = [_f1(known & (cosines > threshold), known & ~antonym, ~antonym) for threshold in candidates]
    threshold = float(candidates[int(np.argmax(scores))])
    cosines, known = pair_cosines(embedding, test[0])
    antonym = np.asarray(test[1]) == 1
    above = cosines > threshold
    synonym_f1 = _f1(np.where(known, above, antonym), known & ~antonym, ~antonym)
    antonym_f1 = _f1(np.where(known, ~above, ~antonym), known & antonym, antonym)
    return {
        "f1": (synonym_f1 + antonym_f1) / 2,
        "f1_synonym": synonym_f1,
        "f1_antonym": antonym_f1,
        "threshold": threshold,
        "pairs": len(antonym),
        "kept": int(known.sum()),
    }


def _f1(said: NDArray, right: NDArray, true: NDArray) -> float:
    """2 TP / (said + true): `right` are the known members of the class."""
    total = int(said.sum() + true.sum())
    return 2 * int((said & right).sum()) / total if total else 0.0


def _choices(right: int, answered: int, questions: int) -> dict[str, Any]:
    precision = right / answered if answered else 0.0
    recall = right / questions if questions else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return {"f1": f1, "precision": precision, "recall": recall, "questions": questions, "answered": answered}
