"""Older questions ranked by similarity to a new one: mean average precision, subtask B of SemEval's task 3.

    AP = mean over the good ones of (good ones up to their rank) / rank;   MAP = mean of AP over all new questions

A new question without a good older one counts with an AP of 0, as the official scorer has it.

Source: Nakov et al. 2016, 2017; Yang et al. 2018, section 4.4.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

GOOD = ("PerfectMatch", "Relevant")


def average_precision(good: NDArray[np.bool_], scores: NDArray[np.floating]) -> float:
    """AP of one new question.

    Args:
        good: whether each older question is good [n].
        scores: similarity of each older question [n]; equally similar ones stay in their order.
    """
    ranked = good[np.argsort(-scores, kind="stable")]
    positions = np.flatnonzero(ranked) + 1
    return float((np.arange(1, len(positions) + 1) / positions).mean()) if len(positions) else 0.0


def average_precisions(
    groups: Sequence[str], good: NDArray[np.bool_], scores: NDArray[np.floating]
) -> NDArray[np.float64]:
    """AP of every new question, in the order of their first pair [Q]; groups: the new question of each pair [P]."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(groups):
        rows.setdefault(name, []).append(row)
    return np.array([average_precision(good[question_rows], scores[question_rows]) for question_rows in rows.values()])


def expected_in_random_order(groups: Sequence[str], good: NDArray[np.bool_], draws: int = 200) -> NDArray[np.float64]:
    """AP of every new question with the older ones in random order, the mean over `draws` orders [Q]."""
    random = np.random.default_rng(0)
    precisions = [average_precisions(groups, good, random.random(len(good))) for _ in range(draws)]
    return np.mean(precisions, axis=0)
