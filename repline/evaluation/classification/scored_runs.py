"""What a run of a classifier, known by its file of probabilities, reached on the test documents."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.corpora.labelled.classified_texts import Texts
from repline.errors import InputError
from repline.evaluation.classification.classification_measures import classified, read_probabilities


def run_probabilities(path: str | Path, texts: Texts) -> NDArray[np.float64]:
    """The probabilities of the test documents [N, C]; InputError where there is no file, or it is of other texts."""
    probabilities = read_probabilities(path)["test"]
    expected = len(texts.gold["test"]), len(texts.labels)
    if probabilities.shape != expected:
        raise InputError(
            f"{path}: expected probabilities of {expected[0]} documents and {expected[1]} labels, found "
            f"{probabilities.shape}; train again"
        )
    return probabilities


def of_run(path: str | Path, texts: Texts, weights: NDArray, edges: Sequence[int]) -> dict[str, Any]:
    """The measures of `classified`, by length too; InputError as of `run_probabilities`."""
    sizes = np.array([len(words) for words in texts.flat("test")])
    return classified(run_probabilities(path, texts), texts.gold["test"], weights, sizes, edges)


def counts(texts: Texts) -> Mapping[str, Any]:
    """`train`, `dev` and `test` documents, `labels`, and `majority`: the share of the most frequent label in test."""
    found: dict[str, Any] = {part: len(ids) for part, ids in texts.ids.items()}
    most = np.bincount(texts.gold["train"]).argmax()
    return found | {"labels": len(texts.labels), "majority": float((texts.gold["test"] == most).mean())}
