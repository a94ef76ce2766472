"""What networks and linear classifiers reach on a corpus, and after how many epochs a network has learned.

Numbers are arrays [1 + R], as of `repline.evaluation.classification.classification_measures`.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from repline.corpora.labelled.classified_texts import Sentences, Texts
from repline.errors import InputError
from repline.evaluation.classification.scored_runs import of_run
from repline.evaluation.classification.training import SCORES
from repline.layers.document_network import PADDING

LEAST = 5  # words of a sentence whose attention is measured


def of_network(folder: str | Path, texts: Texts, weights: NDArray, edges: Sequence[int], learned: float) -> Any:
    """The measures of one trained network, with `epochs`: the first one with an accuracy of `learned` on dev.

    Where no epoch reached it, `epochs` is one more than there were.

    Raises:
        InputError: the folder holds no trained network.
    """
    folder = Path(folder)
    try:
        history = json.loads((folder / "training.json").read_text(encoding="utf-8"))["history"]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{folder}: this is no trained network ({error}); train it again") from None
    epochs = next((one["epoch"] for one in history if one["dev_accuracy"] >= learned), len(history) + 1)
    return of_run(folder / SCORES, texts, weights, edges) | {"epochs": np.full(len(weights), float(epochs))}


def word_spread(network: Any, sentences: Sequence[Sentences], batch: int = 64) -> NDArray[np.float64]:
    """How widely the attention to the words of a sentence is spread, mean over a document's sentences: [N].

        exp(-sum over words of a log a) / words: 1 if it is even, near 1 / words if it is on a single word

    Sentences of fewer than `LEAST` words do not count; NaN for a document without others.

    Args:
        network: a `DocumentNetwork` with `readout`.
    """
    found = []
    for start in range(0, len(sentences), batch):
        ids = network.numbers(sentences[start : start + batch])
        weights = network.readout(ids).words.cpu().double()
        words = (ids != PADDING).sum(dim=2)
        spread = torch.exp(-torch.special.xlogy(weights, weights).sum(dim=2)) / words.clamp(min=1)
        counted = words >= LEAST
        mean = (spread * counted).sum(dim=1) / counted.sum(dim=1)
        found.append(mean.numpy())
    return np.concatenate(found)


def of_spread(values: NDArray, weights: NDArray) -> dict[str, NDArray]:
    """`word_spread` as a measure: the mean of the documents that have one [1 + R]."""
    there = ~np.isnan(values)
    total = (weights * there).sum(axis=1)
    sums = weights @ np.where(there, values, 0)
    return {"word_spread": np.divide(sums, total, out=np.full(len(weights), np.nan), where=total > 0)}
