"""Measures of classifiers on the test documents, read from the file of probabilities of each run."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from repline.corpora.labelled.classified_texts import Texts
from repline.errors import InputError, in_one_line
from repline.evaluation.classification.classification_measures import (
    Bin,
    classified,
    confusion,
    read_probabilities,
    reliability,
)
from repline.evaluation.classification.training import SCORES
from repline.evaluation.evaluations import Evaluation
from repline.evaluation.nested_measures import Arrays
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.weighted_draws import numbers, replicates
from repline.training.convergence import converged


class ShownRun(TypedDict):
    """What figures show of one trained network; the confusion is [C, C]."""

    labels: list[str]
    confusion: NDArray[np.int64]
    reliability: list[Bin]


class TextCounts(TypedDict):
    """The documents of each part, the number of labels, and the share of the most frequent label in test."""

    train: int
    dev: int
    test: int
    labels: int
    majority: float


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


def of_run(path: str | Path, texts: Texts, weights: NDArray, edges: Sequence[int]) -> Arrays:
    """The measures of `classified`, by length too; InputError as of `run_probabilities`."""
    sizes = np.array([len(words) for words in texts.flat("test")])
    return classified(run_probabilities(path, texts), texts.gold["test"], weights, sizes, edges)


def evaluated(classifiers: Mapping[str, Mapping[str, Sequence[Arrays]]]) -> Evaluation:
    """Means over the runs of every classifier, and replicates of them: runs and test documents are resampled.

    Args:
        classifiers: by kind (networks, linear) and name, the measures of each run.
    """
    measured = {kind: {name: numbers(runs) for name, runs in by_name.items()} for kind, by_name in classifiers.items()}
    repeated = {
        kind: side_by_side(**{name: replicates(runs) for name, runs in by_name.items()})
        for kind, by_name in classifiers.items()
        if by_name
    }
    return Evaluation(measured, side_by_side(**repeated))


def not_converged(models: Mapping[str, Iterable[Path]]) -> list[str]:
    """The groups of metrics with a run that ended while dev still improved, as `networks.hcan`.

    A run that ended because its accuracy on dev was `enough` had converged.

    Args:
        models: by name, the folders of a network's runs.

    Raises:
        InputError: a folder without the record of its training.
    """
    return [f"networks.{name}" for name, folders in models.items() if not all(map(_converged, folders))]


def _converged(folder: Path) -> bool:
    path = folder / "training.json"
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        history, enough = record["history"], record.get("settings", {}).get("enough")
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{folder}: this is no trained network ({in_one_line(error)}); train it again") from None
    return converged(history) or (enough is not None and history[-1]["dev_accuracy"] >= enough)


def shown_run(folder: Path, texts: Texts) -> ShownRun:
    """What figures show of one trained network: `labels`, `confusion` [C, C] and `reliability`."""
    probabilities, gold = read_probabilities(folder / SCORES)["test"], texts.gold["test"]
    return {
        "labels": texts.labels,
        "confusion": confusion(probabilities, gold),
        "reliability": reliability(probabilities, gold),
    }


def counts(texts: Texts) -> TextCounts:
    """`train`, `dev` and `test` documents, `labels`, and `majority`: the share of the most frequent label in test."""
    sizes = {part: len(ids) for part, ids in texts.ids.items()}
    majority_label = np.bincount(texts.gold["train"]).argmax()
    majority = float((texts.gold["test"] == majority_label).mean())
    return cast(TextCounts, sizes | {"labels": len(texts.labels), "majority": majority})
