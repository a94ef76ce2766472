"""How well a classifier predicts the number of a verb from the words before it.

Source: Linzen, Dupoux & Goldberg 2016; Bernardy & Lappin 2022, section 4.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from torch import Tensor

from repline.evaluation.grouped_accuracy import accuracy_by
from repline.evaluation.nested_measures import Metric
from repline.systems.urn.agreement.examples import VocabularyRow
from repline.systems.urn.rotation_tables import distances, effects, number_clusters

VERBS = ("is", "are", "was", "were", "has", "have", "which")  # what bears on the number of a verb
IRRELEVANT = (".", "the", "his", "its", "also", "their")  # and what does not
FREQUENT_NOUNS = 50


def agreement_accuracy(
    predictions: Sequence[np.ndarray], plural: np.ndarray, attractors: np.ndarray
) -> dict[str, Metric]:
    """Accuracy overall and by attractors, pooled over runs.

    Args:
        predictions: one array [N] of 0 (singular) or 1 (plural) per run (seed).
        plural: [N], the right answers.
        attractors: [N], nouns of the other number between subject and verb.

    Returns:
        accuracy, accuracy_range (largest minus smallest over the runs), and what `accuracy_by` gives for attractors.
    """
    correct = [predicted == plural for predicted in predictions]
    shares = [float(run.mean()) for run in correct]
    result: dict[str, Metric] = {"accuracy": float(np.mean(shares)), "accuracy_range": max(shares) - min(shares)}
    return result | accuracy_by(np.concatenate(correct), np.tile(attractors, len(correct)), "attractors")


def word_tables(
    matrix: Callable[[str], Tensor],
    vocabulary: Sequence[VocabularyRow],
    words: Iterable[str],
    nouns: Iterable[str],
) -> dict[str, Metric]:
    """Effects of words and distances of nouns, of those that the corpus has.

    Args:
        matrix: word -> [n, n].
        vocabulary: rows with `word` and `noun_number` ("singular", "plural" or None), by falling frequency.
        words: whose effects to give.
        nouns: whose distances to give, pair by pair.

    Returns:
        effects {word: effect}; distances {noun: {later noun: squared distance}}; distance_same_number and
        distance_different_number, means over the corpus's own `FREQUENT_NOUNS` most frequent nouns of each number;
        effect_verbs and effect_irrelevant, means over `VERBS` and `IRRELEVANT`.

    Source: Bernardy & Lappin 2022, tables 1 and 2.
    """
    words_of_corpus = {row["word"] for row in vocabulary}
    result: dict[str, Metric] = {"effects": effects(matrix, [word for word in words if word in words_of_corpus])}
    nouns = [noun for noun in nouns if noun in words_of_corpus]
    if len(nouns) > 1:
        table = distances(matrix, nouns)
        result["distances"] = {
            first: {second: float(table[row, column]) for column, second in enumerate(nouns) if column > row}
            for row, first in enumerate(nouns[:-1])
        }
    frequent = {
        number: [row["word"] for row in vocabulary if row["noun_number"] == number][:FREQUENT_NOUNS]
        for number in ("singular", "plural")
    }
    result |= number_clusters(matrix, frequent["singular"], frequent["plural"])
    for name, group in (("effect_verbs", VERBS), ("effect_irrelevant", IRRELEVANT)):
        group_effects = effects(matrix, [word for word in group if word in words_of_corpus])
        if group_effects:
            result[name] = float(np.mean(list(group_effects.values())))
    return result
