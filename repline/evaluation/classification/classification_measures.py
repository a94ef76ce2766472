"""Measures of predicted label probabilities, one gold label per document, with bootstrap replicates.

    accuracy   share of documents whose most probable label is theirs; micro-F1 is the same number
    macro_f1   mean of the F1 of the labels that some document has; scikit-learn counts those only guessed too, as 0
    ece        mean over ten bins of the confidence, by their documents, of |accuracy - mean confidence|
    nll        mean of -log p(label), in nats

Numbers are arrays [1 + R]: of the test documents as they are, then of each replicate's draw of them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, in_one_line
from repline.evaluation.multi_label import multi_label_f1
from repline.evaluation.nested_measures import Array

BINS = 10
MIN_PROBABILITY = 1e-12  # a probability is taken for at least this


def classified(
    probabilities: NDArray, gold: NDArray, weights: NDArray, lengths: NDArray | None = None, edges: Sequence[int] = ()
) -> dict[str, Array]:
    """`accuracy`, `micro_f1`, `macro_f1`, `ece`, `nll`, and with lengths `by_length`: accuracy of each range.

    Args:
        probabilities: [N, C], rows sum to one.
        gold: int [N].
        weights: [1 + R, N], how often each document counts.
        lengths: [N], words of each document.
        edges: where the ranges begin after the first; `by_length` has a number for each, by its name as of `ranges`.
    """
    guess = probabilities.argmax(axis=1)
    is_right = (guess == gold).astype(np.float64)
    one_hot = np.eye(probabilities.shape[1], dtype=bool)
    f1 = multi_label_f1(one_hot[gold], one_hot[guess], weights)
    loss = -np.log(np.maximum(probabilities[np.arange(len(gold)), gold], MIN_PROBABILITY))
    measures: dict[str, Array] = {
        "accuracy": _mean(is_right, weights),
        "micro_f1": f1["micro"],
        "macro_f1": f1["macro"],
        "ece": _calibration_error(probabilities.max(axis=1), is_right, weights),
        "nll": _mean(loss, weights),
    }
    if lengths is not None:
        range_numbers = np.searchsorted(np.asarray(edges), lengths, side="right")
        measures["by_length"] = {
            name: _mean(is_right, weights * (range_numbers == number)) for number, name in enumerate(ranges(edges))
        }
    return measures


def ranges(edges: Sequence[int]) -> list[str]:
    """Names of the ranges of lengths that begin at the edges: below_30, from_30, from_60."""
    return [f"below_{edges[0]}", *(f"from_{edge}" for edge in edges)] if edges else ["all"]


def confusion(probabilities: NDArray, gold: NDArray) -> NDArray[np.int64]:
    """[C, C]: documents by their label (row) and the most probable one (column)."""
    size = probabilities.shape[1]
    return np.bincount(gold * size + probabilities.argmax(axis=1), minlength=size * size).reshape(size, size)


class Bin(TypedDict):
    """A bin of the confidence: its documents, their mean confidence, and the share of them that is right."""

    documents: int
    confidence: float
    accuracy: float


def reliability(probabilities: NDArray, gold: NDArray) -> list[Bin]:
    """For each bin of the confidence that has documents: their number, mean confidence and accuracy."""
    confidence, is_right = probabilities.max(axis=1), probabilities.argmax(axis=1) == gold
    bins = _bins(confidence)
    return [
        {
            "documents": int((bins == number).sum()),
            "confidence": float(confidence[bins == number].mean()),
            "accuracy": float(is_right[bins == number].mean()),
        }
        for number in range(BINS)
        if (bins == number).any()
    ]


def read_probabilities(path: str | Path) -> dict[str, NDArray[np.float64]]:
    """The probabilities of dev and test in an `.npz`; InputError where they are not there."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {part: arrays[part].astype(np.float64) for part in ("dev", "test")}
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: the probabilities cannot be read ({in_one_line(error)}); train again") from None


def _mean(values: NDArray, weights: NDArray) -> NDArray[np.float64]:
    total = weights.sum(axis=1)
    return np.divide(weights @ values, total, out=np.full(len(weights), np.nan), where=total > 0)


def _calibration_error(confidence: NDArray, is_right: NDArray, weights: NDArray) -> NDArray[np.float64]:
    member = _bins(confidence)[:, None] == np.arange(BINS)  # [N, bins]
    gap = np.abs((weights * (is_right - confidence)) @ member).sum(axis=1)
    return gap / np.maximum(weights.sum(axis=1), 1)


def _bins(confidence: NDArray) -> NDArray[np.int64]:
    return np.minimum((confidence * BINS).astype(np.int64), BINS - 1)
