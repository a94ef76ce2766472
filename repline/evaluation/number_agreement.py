"""How well a classifier predicts the number of a verb from the words before it.

Source: Linzen, Dupoux & Goldberg 2016; Bernardy & Lappin 2022, section 4.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from repline.evaluation.grouped_accuracy import accuracy_by


def agreement_accuracy(predictions: Sequence[np.ndarray], plural: np.ndarray, attractors: np.ndarray) -> dict[str, Any]:
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
    result: dict[str, Any] = {"accuracy": float(np.mean(shares)), "accuracy_range": max(shares) - min(shares)}
    return result | accuracy_by(np.concatenate(correct), np.tile(attractors, len(correct)), "attractors")
