"""F1 of documents that have any number of labels, and a threshold for each label.

    F1_i = 2 tp_i / (2 tp_i + fp_i + fn_i), 0 where that is 0 / 0
    macro = mean of F1_i over the labels that some document has;   micro = 2 Σ tp / (2 Σ tp + Σ fp + Σ fn)

Source: Pivovarova & Yangarber 2018, section 5.
"""

import numpy as np
from numpy.typing import NDArray


def multi_label_f1(gold: NDArray, predicted: NDArray, weights: NDArray | None = None) -> dict[str, NDArray[np.float64]]:
    """Micro- and macro-F1, once for each row of weights.

    Args:
        gold, predicted: bool [N, L].
        weights: [R, N], how often each document counts; None for once, in one row.

    Returns:
        `micro` and `macro`, [R] each; macro is NaN where no document that counts has a label.
    """
    weights = np.ones((1, len(gold))) if weights is None else weights
    correct = weights @ (gold & predicted).astype(np.float64)  # [R, L]
    sizes = weights @ gold.astype(np.float64) + weights @ predicted.astype(np.float64)  # 2 tp + fp + fn
    by_label = np.divide(2 * correct, sizes, out=np.zeros_like(correct), where=sizes > 0)
    there = weights @ gold.astype(np.float64) > 0
    labels, total = there.sum(axis=1), sizes.sum(axis=1)
    return {
        "micro": np.divide(2 * correct.sum(axis=1), total, out=np.zeros(len(total)), where=total > 0),
        "macro": np.divide((by_label * there).sum(axis=1), labels, out=np.full(len(total), np.nan), where=labels > 0),
    }


def careful_thresholds(scores: NDArray, gold: NDArray, least: int = 10) -> NDArray[np.float64]:
    """`best_thresholds`, where a label of few documents has the threshold that is best for all labels together: [L].

    The best threshold of one or a few documents is as low as the lowest of them happens to lie.

    Args:
        scores: [N, L], finite.
        gold: bool [N, L].
        least: documents of a label that has a threshold of its own.
    """
    shared = best_thresholds(scores.reshape(-1, 1), gold.reshape(-1, 1))  # of micro-F1
    return np.where(gold.sum(axis=0) >= least, best_thresholds(scores, gold), shared)


def best_thresholds(scores: NDArray, gold: NDArray, without: float = 0.5) -> NDArray[np.float64]:
    """The threshold of each label with the highest F1 where a document has it if score >= threshold: [L].

    The candidates are the label's different scores, sorted once; of several with the same F1 it is the largest.

    Args:
        scores: [N, L], finite.
        gold: bool [N, L].
        without: the threshold of a label that no document has.
    """
    thresholds = np.full(scores.shape[1], without, np.float64)
    for label in np.flatnonzero(gold.any(axis=0)):
        order = np.argsort(-scores[:, label], kind="stable")
        falling = scores[order, label]
        correct = np.cumsum(gold[order, label])
        last = np.flatnonzero(np.append(falling[:-1] != falling[1:], True))  # of each score: all with it are found
        f1 = 2 * correct[last] / (last + 1 + correct[-1])
        thresholds[label] = falling[last[f1.argmax()]]
    return thresholds
