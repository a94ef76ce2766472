"""What networks and linear classifiers reach on a corpus, and where the timescales of a network went.

Numbers are arrays [1 + R], as of `repline.evaluation.classification.classification_measures`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from repline.errors import InputError
from repline.evaluation.classification.classification_measures import classified, read_probabilities
from repline.evaluation.classification.classified_texts import Texts
from repline.evaluation.classification.training import SCORES

TIMESCALES = "recurrence.timescales"


def of_network(folder: str | Path, texts: Texts, weights: NDArray, edges: Sequence[int]) -> dict[str, Any]:
    """The measures of one trained network; with `timescales`, its `fastest` and `slowest`, where it has any.

    Raises:
        InputError: the folder holds no trained network.
    """
    folder = Path(folder)
    found = of_scores(folder / SCORES, texts, weights, edges)
    try:
        with safe_open(folder / "model.safetensors", framework="np") as tensors:
            values = tensors.get_tensor(TIMESCALES) if TIMESCALES in set(tensors.keys()) else None
    except (OSError, SafetensorError) as error:
        raise InputError(f"{folder}: this is no trained network ({error}); train it again") from None
    if values is None:
        return found
    ends = {"fastest": values.min(), "slowest": values.max()}
    return found | {"timescales": {name: np.full(len(weights), float(value)) for name, value in ends.items()}}


def of_scores(path: str | Path, texts: Texts, weights: NDArray, edges: Sequence[int]) -> dict[str, Any]:
    """The measures of the probabilities in a file; InputError where it is not there, or is of other texts."""
    probabilities = read_probabilities(path)["test"]
    gold = texts.gold["test"]
    if probabilities.shape != (len(gold), len(texts.labels)):
        raise InputError(
            f"{path}: expected probabilities of {len(gold)} texts and {len(texts.labels)} labels, found "
            f"{probabilities.shape}; train again"
        )
    sizes = np.array([len(words) for words in texts.flat("test")])
    return classified(probabilities, gold, weights, sizes, edges)


def counts(texts: Texts) -> dict[str, Any]:
    """`train`, `dev`, `test` texts, `labels`, mean `words` of a text, `majority`: of test, the top label."""
    sizes = [len(words) for part in texts.sentences for words in texts.flat(part)]
    most = np.bincount(texts.gold["train"]).argmax()
    return {part: len(ids) for part, ids in texts.ids.items()} | {
        "labels": len(texts.labels),
        "words": float(np.mean(sizes)),
        "majority": float((texts.gold["test"] == most).mean()),
    }
