"""The tests of one vector space, as numbers and on resampled items: similarity, opposites, antonyms against synonyms.

Every number is computed for many weights of the test items at once, [R]: the first row of weights counts each item
once and gives the number itself, the others are replicates (`repline.evaluation.replication.weighted_draws`).

Constraints may hold the test items themselves. "unconstrained" are the numbers on the items that a configuration was
not given; "start_" are those of the vectors before specialisation, on the same items.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.nested_measures import Array
from repline.evaluation.replication.weighted_draws import spearman_of_draws
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines
from repline.systems.lexical_contrast.antonyms import (
    Question,
    best_threshold,
    choices,
    contrast_scores,
    option_cosines,
    tuned_contrast_scores,
)

RULES: dict[str, Callable[[NDArray, Sequence[Question]], tuple[NDArray, NDArray]]] = {
    "farthest": choices,
    "nearest": partial(choices, rule="nearest"),
    "related": partial(choices, related=True),
}

Pairs = Sequence[tuple[str, str]]
Constrained = frozenset[frozenset[str]]
Labelled = tuple[Pairs, NDArray]


def in_constraints(pairs: Pairs, constrained: Constrained) -> NDArray[np.bool_]:
    """Which pairs are constraints, in either order and whatever the case: bool [n]."""
    return np.array([frozenset(word.lower() for word in pair) in constrained for pair in pairs], dtype=bool)


def free_of(questions: Sequence[Question], constrained: Constrained | None) -> NDArray[np.bool_]:
    """Which questions have no constraint between cue and related options: bool [n]; none if `constrained` is None."""
    if constrained is None:
        return np.zeros(len(questions), dtype=bool)
    related = [[(question.cue, option) for option in question.options[: question.related]] for question in questions]
    return np.array([not in_constraints(pairs, constrained).any() for pairs in related], dtype=bool)


def similarity_of(
    embedding: Embedding, pairs: Pairs, scores: NDArray, weights: NDArray, free: NDArray, start: Embedding
) -> dict[str, NDArray[np.float64]]:
    """Spearman's correlation of all pairs and of the `free` ones: [R] each, NaN where it says nothing.

    Args:
        free: [n] bool, the pairs that are no constraints of this space.
        start: the vectors before.
    """
    cosines, have_vectors = pair_cosines(embedding, pairs)
    before, had_vectors = pair_cosines(start, pairs)
    comparable = have_vectors & had_vectors & free
    return {
        "spearman": spearman_of_draws(cosines[have_vectors], scores[have_vectors], weights[:, have_vectors]),
        "unconstrained": spearman_of_draws(cosines[comparable], scores[comparable], weights[:, comparable]),
        "start_unconstrained": spearman_of_draws(before[comparable], scores[comparable], weights[:, comparable]),
    }


def opposites_of(
    embedding: Embedding, questions: Sequence[Question], weights: NDArray, free: NDArray, start: Embedding
) -> dict[str, Array]:
    """F1 of the opposites found by the three `RULES`, of all questions and under "unconstrained" of the free ones.

    The rule "related" is left out where the opposite alone is related to the cue, so that nothing is to be chosen.
    """
    scores: dict[str, Array] = {}
    unconstrained: dict[str, NDArray[np.float64]] = {}
    cosines, before = (option_cosines(space, questions) for space in (embedding, start))
    chosen_from = min((question.related for question in questions), default=0)
    for name, rule in RULES.items():
        if name == "related" and chosen_from == 1:
            continue
        answers = rule(cosines, questions)
        scores[name] = _f1(*answers, weights)
        if free.any():
            unconstrained[name] = _f1(*answers, weights * free)
            unconstrained[f"start_{name}"] = _f1(*rule(before, questions), weights * free)
    return scores | {"unconstrained": unconstrained}


def contrast_of(
    embedding: Embedding,
    parts: tuple[Labelled, Labelled],
    weights: NDArray,
    constrained: Constrained | None,
    start: Embedding,
) -> dict[str, Array]:
    """Antonyms against synonyms: scores of all test pairs, and f1 of the unconstrained ones.

    Every score has the threshold that is best for it on the validation pairs (`tuned_contrast_scores`); that of the
    unconstrained pairs is tuned on unconstrained validation pairs.
    """
    (validation, labels), (test, truth) = parts
    judged = [(*pair_cosines(embedding, pairs), numbers) for pairs, numbers in parts]
    unconstrained: dict[str, NDArray[np.float64]] = {}
    scores: dict[str, Array] = {**tuned_contrast_scores(judged[0], judged[1], weights), "unconstrained": unconstrained}
    if constrained is None:
        return scores
    tuning, free = (~in_constraints(pairs, constrained) for pairs in (validation, test))
    if len(set(labels[tuning])) < 2 or len(set(truth[free])) < 2:
        return scores  # nothing to tune on, or nothing to tell apart
    for name, space in (("f1", embedding), ("start_f1", start)):
        cosines, have_vectors = pair_cosines(space, validation)
        threshold = best_threshold((cosines[tuning], have_vectors[tuning], labels[tuning]))
        judged_test = (*pair_cosines(space, test), truth)
        unconstrained[name] = contrast_scores(judged_test, threshold, weights * free)["f1"]
    return scores


def _f1(correct: NDArray, answered: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """2 P R / (P + R) = 2 right / (answered + all): [R], NaN where no question was drawn."""
    total = weights @ answered.astype(float) + weights.sum(1)
    return np.divide(2 * (weights @ correct.astype(float)), total, out=np.full(len(total), np.nan), where=total > 0)
