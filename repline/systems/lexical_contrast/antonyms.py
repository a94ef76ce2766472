"""Tests of antonyms in a vector space: questions with one opposite among the options, and antonyms against synonyms."""

from collections.abc import Container, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines

Rule = Literal["farthest", "nearest"]
Score = Literal["f1", "f1_synonym", "f1_antonym"]
SCORES: tuple[Score, ...] = get_args(Score)
JudgedPairs = tuple[NDArray, NDArray, NDArray]  # of n pairs: cosines, which have them, and 1 for antonyms


class Question(NamedTuple):
    """A word, its options, and which of them is the opposite; the first `related` options are near it in meaning."""

    cue: str
    options: tuple[str, ...]
    answer: int = 0
    related: int = 0


def linked(questions: Sequence[Question]) -> NDArray[np.int32]:
    """The number of the group of each question; questions are in one group whose cues or answers share words: [n].

    The other options do not link questions: they are drawn from so few words that most questions would be one group.
    """
    words: dict[str, int] = {}
    sides = [
        [words.setdefault(word, len(words)) for word in side]
        for side in (
            [question.cue for question in questions],
            [question.options[question.answer] for question in questions],
        )
    ]
    edges = sparse.coo_array((np.ones(len(questions)), (sides[0], sides[1])), shape=(len(words), len(words)))
    return connected_components(edges, directed=False)[1][sides[0]] if words else np.zeros(0, np.int32)


def closest_opposite(
    embedding: Embedding, questions: Sequence[Question], rule: Rule = "farthest", *, related: bool = False
) -> dict[str, float | None]:
    """Multiple choice: answer with the option at the largest ("farthest") or least ("nearest") cosine distance.

        precision = right / answered,   recall = right / all,   F1 = 2 P R / (P + R)

    An unknown option is no candidate; a question is unanswered when its cue or all its options are unknown. An option
    as far as the opposite makes the answer wrong: vectors that tell nothing apart get nothing right.

    Args:
        related: choose among the first `related` options of each question only (the opposite and the synonyms).

    Returns:
        f1, precision, recall, questions, answered; f1 equals the accuracy when everything is answered.

    Source: Mohammad, Dorr, Hirst and Turney 2013; Vulić and Korhonen 2018, section 3, task 2.
    """
    is_right, answered = choices(option_cosines(embedding, questions), questions, rule, related=related)
    return _choices(int(is_right.sum()), int(answered.sum()), len(questions))


def option_cosines(embedding: Embedding, questions: Sequence[Question]) -> NDArray[np.float64]:
    """The cosine of each option with the cue: [n, most options], NaN for an unknown option or cue, or for none."""
    option_cosines_table = np.full(
        (len(questions), max((len(question.options) for question in questions), default=0)), np.nan
    )
    cells = [(row, column) for row, question in enumerate(questions) for column in range(len(question.options))]
    pairs = [(question.cue, option) for question in questions for option in question.options]
    cosines, have_vectors = pair_cosines(embedding, pairs)
    rows, columns = np.array(cells, dtype=np.int64).reshape(-1, 2).T
    option_cosines_table[rows, columns] = np.where(have_vectors, cosines, np.nan)
    return option_cosines_table


def choices(
    cosines: NDArray, questions: Sequence[Question], rule: Rule = "farthest", *, related: bool = False
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which questions are answered correctly, and which are answered at all: bool [n] each.

    Args:
        cosines: [n, options], see `option_cosines`.
        rule, related: see `closest_opposite`.
    """
    score = np.where(np.isnan(cosines), -np.inf, -cosines if rule == "farthest" else cosines)
    if related:
        first = np.array([question.related for question in questions])[:, None]
        score = np.where(np.arange(score.shape[1]) < first, score, -np.inf)
    rows, answer = np.arange(len(questions)), np.array([question.answer for question in questions], dtype=np.int64)
    answer_score = score[rows, answer]
    score[rows, answer] = -np.inf
    best_other = score.max(1, initial=-np.inf)
    return answer_score > best_other, np.maximum(answer_score, best_other) > -np.inf


def looked_up(questions: Sequence[Question], antonyms: Container[frozenset[str]]) -> dict[str, float | None]:
    """The baseline without vectors: the option that the constraints call an antonym of the cue, else no answer.

    Returns:
        The same keys as `closest_opposite`.

    Source: Vulić and Korhonen 2018, table 3 (constraints lookup).
    """
    right_count = answered = 0
    for question in questions:
        looked_up_options = [
            number for number, option in enumerate(question.options) if frozenset((question.cue, option)) in antonyms
        ]
        answered += bool(looked_up_options)
        right_count += bool(looked_up_options) and looked_up_options[0] == question.answer
    return _choices(right_count, answered, len(questions))


def contrast(
    embedding: Embedding,
    validation: tuple[Sequence[tuple[str, str]], NDArray],
    test: tuple[Sequence[tuple[str, str]], NDArray],
) -> dict[str, float]:
    """Call pairs above a cosine synonyms and the others antonyms, by the best threshold of the validation pairs.

    Args:
        validation, test: pairs [n] and labels [n], 1 for an antonym, 0 for a synonym.

    Returns:
        f1_synonym, f1_antonym and f1, the mean of both classes at one threshold, on the test pairs; each is measured at
        the threshold that is best for it. A pair with a missing word is an error in both classes. threshold_f1,
        threshold_f1_synonym, threshold_f1_antonym: these thresholds. called_synonyms: the share of known test pairs
        above threshold_f1. pairs, kept.

    Source: Vulić and Korhonen 2018, section 3, task 3 (which class is positive is not stated, nor how many thresholds
    there are).
    """
    judged = [(*pair_cosines(embedding, pairs), np.asarray(labels)) for pairs, labels in (validation, test)]
    have_vectors = judged[1][1]
    scores = tuned_contrast_scores(judged[0], judged[1], np.ones((1, len(have_vectors))))
    return {name: float(values[0]) for name, values in scores.items()} | {
        "pairs": len(have_vectors),
        "kept": int(have_vectors.sum()),
    }


def tuned_contrast_scores(
    validation: JudgedPairs, test: JudgedPairs, weights: NDArray
) -> dict[str, NDArray[np.float64]]:
    """The scores of `contrast`, each at the threshold that is best for it, for several weights of the test pairs.

    Args:
        weights: [R, n], how often each test pair counts.

    Returns:
        f1, f1_synonym, f1_antonym, called_synonyms, and the thresholds of the first three, threshold_f1 and so on:
        [R] each.
    """
    thresholds = {score: best_threshold(validation, score) for score in SCORES}
    scores: dict[str, NDArray[np.float64]] = {"called_synonyms": _called_synonyms(test, thresholds["f1"], weights)}
    for score, threshold in thresholds.items():
        scores[score] = contrast_scores(test, threshold, weights)[score]
        scores[f"threshold_{score}"] = np.full(len(weights), threshold)
    return scores


def best_threshold(pairs: JudgedPairs, score: Score = "f1") -> float:
    """The cosine above which calling pairs synonyms gives the largest score: an observed one or -1, the smallest.

    A pair without vectors is called neither synonyms nor antonyms here, because it is wrong at every threshold.
    """
    cosines, have_vectors, labels = pairs
    candidates = np.unique(np.concatenate([[-1.0], cosines[have_vectors]]))
    above = cosines > candidates[:, None]  # [candidates, n]
    synonym_f1 = _f1_by_candidate(have_vectors & above, labels == 0)
    antonym_f1 = _f1_by_candidate(have_vectors & ~above, labels == 1)
    scores = {"f1": (synonym_f1 + antonym_f1) / 2, "f1_synonym": synonym_f1, "f1_antonym": antonym_f1}
    return float(candidates[np.argmax(scores[score])])


def contrast_scores(pairs: JudgedPairs, threshold: float, weights: NDArray) -> dict[str, NDArray[np.float64]]:
    """The scores f1, f1_synonym and f1_antonym at one threshold, for several weights of the pairs.

    Args:
        weights: [R, n], how often each pair counts.

    Returns:
        [R] each.
    """
    cosines, have_vectors, labels = pairs
    antonym, above = labels == 1, cosines > threshold
    synonym_f1 = _f1(np.where(have_vectors, above, antonym), have_vectors & ~antonym, ~antonym, weights)
    antonym_f1 = _f1(np.where(have_vectors, ~above, ~antonym), have_vectors & antonym, antonym, weights)
    return {"f1": (synonym_f1 + antonym_f1) / 2, "f1_synonym": synonym_f1, "f1_antonym": antonym_f1}


def _called_synonyms(pairs: JudgedPairs, threshold: float, weights: NDArray) -> NDArray[np.float64]:
    """The share of the pairs with vectors that are above the threshold: [R], NaN where no such pair was drawn."""
    cosines, have_vectors, _ = pairs
    total = weights @ have_vectors.astype(float)
    above = weights @ (have_vectors & (cosines > threshold)).astype(float)
    return np.divide(above, total, out=np.full(len(total), np.nan), where=total > 0)


def _f1_by_candidate(called: NDArray, true: NDArray) -> NDArray[np.float64]:
    """2 TP / (called + true) of a class: [candidates], from [candidates, n] and [n]; 0 where both sets are empty."""
    total = called.sum(1) + true.sum()
    return np.divide(2 * (called & true).sum(1), total, out=np.zeros(len(total)), where=total > 0)


def _f1(predicted: NDArray, true_members: NDArray, true: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """2 TP / (predicted + true): `true_members` are the known members of the class; 0 where both sets are empty."""
    total = weights @ (predicted.astype(float) + true)
    return np.divide(
        2 * (weights @ (predicted & true_members).astype(float)), total, out=np.zeros(len(total)), where=total > 0
    )


def _choices(right_count: int, answered: int, questions: int) -> dict[str, float | None]:
    precision = right_count / answered if answered else 0.0
    recall = right_count / questions if questions else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right_count else 0.0
    return {"f1": f1, "precision": precision, "recall": recall, "questions": questions, "answered": answered}
