"""What networks and linear classifiers reach on a corpus, and the timescales that a network has learned.

Numbers are arrays [1 + R], as of `repline.evaluation.classification.classification_measures`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from repline.corpora.labelled.classified_texts import Texts
from repline.errors import InputError, in_one_line
from repline.evaluation.classification import scored_runs
from repline.evaluation.classification.scored_runs import TextCounts, evaluated, not_converged, of_run, shown_run
from repline.evaluation.classification.training import SCORES
from repline.evaluation.evaluations import Details, Evaluation
from repline.evaluation.nested_measures import Arrays
from repline.evaluation.replication.weighted_draws import weights_of

TIMESCALES = "recurrence.timescales"
SHOWN = "cnn_lmtgru"  # the network whose confusion is shown


def evaluate(
    models: Mapping[str, Mapping[str, Sequence[Path]]],
    linear: Mapping[str, Mapping[str, Path]],
    folds: Mapping[str, Texts],
    edges: Sequence[int],
) -> Evaluation:
    """Measure all classifiers of a corpus on the test texts of every fold; `details` has `shown_run` of CNN-LMTGRU.

    Args:
        models: by name of a network and of a fold, the folders of its runs.
        linear: by name of a linear classifier and of a fold, its probabilities (.npz).
        folds: the texts in three parts, by the name of a fold; counts and details are those of the first.
        edges: lengths in words where ranges begin.

    Raises:
        InputError: a model or probabilities that cannot be read, or that are of other texts.
    """
    weights = {fold: weights_of(len(texts.gold["test"])) for fold, texts in folds.items()}
    networks = {
        name: [of_network(run, texts, weights[fold], edges) for fold, texts in folds.items() for run in by_fold[fold]]
        for name, by_fold in models.items()
    }
    peers = {
        name: [of_run(by_fold[fold], texts, weights[fold], edges) for fold, texts in folds.items()]
        for name, by_fold in linear.items()
    }
    evaluation = evaluated({"networks": networks, "linear": peers})
    fold, texts = next(iter(folds.items()))
    details: Details = shown_run(models[SHOWN][fold][0], texts) if SHOWN in models else {}
    metrics = {"documents": counts(texts)} | evaluation.metrics
    all_runs = {name: [run for runs in by_fold.values() for run in runs] for name, by_fold in models.items()}
    return Evaluation(metrics, evaluation.replicates, details, not_converged(all_runs))


def of_network(folder: str | Path, texts: Texts, weights: NDArray, edges: Sequence[int]) -> Arrays:
    """The measures of one trained network; with `timescales`, its `fastest` and `slowest`, where it has any.

    Raises:
        InputError: the folder holds no trained network.
    """
    folder = Path(folder)
    measures = of_run(folder / SCORES, texts, weights, edges)
    try:
        with safe_open(folder / "model.safetensors", framework="np") as tensors:
            values = tensors.get_tensor(TIMESCALES) if TIMESCALES in set(tensors.keys()) else None
    except (OSError, SafetensorError) as error:
        raise InputError(f"{folder}: this is no trained network ({in_one_line(error)}); train it again") from None
    if values is None:
        return measures
    ends = {"fastest": values.min(), "slowest": values.max()}
    return {**measures, "timescales": {name: np.full(len(weights), float(value)) for name, value in ends.items()}}


class WordCounts(TextCounts):
    """The counts of a corpus, and the mean words of a text."""

    words: float


def counts(texts: Texts) -> WordCounts:
    """The counts of `scored_runs.counts`, and the mean `words` of a text."""
    sizes = [len(words) for part in texts.sentences for words in texts.flat(part)]
    return {**scored_runs.counts(texts), "words": float(np.mean(sizes))}
