"""How well a language model of a Dyck language closes brackets.

At every closing bracket, the arg-max among the five closing symbols alone is compared with the right one: opening
brackets are always grammatical, so they do not count. Guessing is right 20 % of the time.

Source: Bernardy & Lappin 2022, section 5.
"""

from collections.abc import Sequence

import numpy as np

from repline.evaluation.grouped_accuracy import accuracy_by
from repline.evaluation.nested_measures import Metric
from repline.systems.urn.dyck import KINDS, attractor_counts, matching, nesting_depths


def predicted_closings(logits: np.ndarray) -> np.ndarray:
    """The closing symbol that a model finds likeliest at each position.

    Args:
        logits: [N, L, V] over the symbols of `urn.dyck.ALPHABET`, read before the character they predict.

    Returns:
        int [N, L], symbols.
    """
    return 2 * logits[..., 1 : 2 * len(KINDS) : 2].argmax(-1) + 1


def closing_accuracy(predictions: Sequence[np.ndarray], ids: np.ndarray) -> dict[str, Metric]:
    """Accuracy overall, by attractors, by depth of nesting and by distance, pooled over runs.

    Args:
        predictions: one array per run (seed), each as `predicted_closings` gives it.
        ids: [N, L], the strings.

    Returns:
        accuracy, accuracy_range (largest minus smallest over the runs), and what `accuracy_by` gives for attractors
        (index 0 is none), depth (index 0 is depth 1), distance (index 0 is 1 character) and position (index 0 is the
        second character, the first that can close a bracket).
    """
    closing = ids % 2 == 1
    correct = [(predicted == ids)[closing] for predicted in predictions]
    shares = [float(run.mean()) for run in correct]
    pooled = np.concatenate(correct)
    position = np.broadcast_to(np.arange(ids.shape[1]), ids.shape)
    groups = {
        "attractors": (attractor_counts(ids), 0),
        "depth": (nesting_depths(ids), 1),
        "distance": (position - matching(ids), 1),
        "position": (position, 1),
    }
    result: dict[str, Metric] = {"accuracy": float(np.mean(shares)), "accuracy_range": max(shares) - min(shares)}
    for name, (values, first) in groups.items():
        result |= accuracy_by(pooled, np.tile(values[closing], len(correct)), name, first)
    return result


def majority(training_ids: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Predictions [N, L] for `ids` of always naming the commonest closing symbol of the training strings."""
    counts = np.bincount(training_ids[training_ids % 2 == 1], minlength=2 * len(KINDS))
    return np.full_like(ids, counts.argmax())
