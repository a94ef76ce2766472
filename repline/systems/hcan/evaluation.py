"""Measures of networks and linear classifiers on a corpus, epochs until learned, and the spread of attention.

Numbers are arrays [1 + R], as of `repline.evaluation.classification.classification_measures`.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from repline.corpora.labelled.classified_texts import Sentences, Texts
from repline.errors import InputError, in_one_line
from repline.evaluation.classification.classification_measures import classified
from repline.evaluation.classification.scored_runs import counts, evaluated, not_converged, of_run, shown_run
from repline.evaluation.classification.training import SCORES
from repline.evaluation.evaluations import Details, Evaluation
from repline.evaluation.nested_measures import Array, Arrays
from repline.evaluation.replication.weighted_draws import weights_of
from repline.layers.document_network import PADDING, DocumentNetwork
from repline.pretrained import DESCRIPTION, pretrained
from repline.systems.hcan.model import HCAN
from repline.systems.hcan.settings import Network
from repline.systems.hcan.training import KINDS

MIN_WORDS = 5  # words of a sentence whose attention is measured
SPREAD = ("hcan", "han")  # names of networks whose attention to words is compared
SHOWN = "hcan"  # the network whose confusion is shown


def evaluate(
    networks: Mapping[str, Network],
    models: Mapping[str, Sequence[Path]],
    linear: Mapping[str, Path],
    texts: Texts,
    edges: Sequence[int],
    learned: float,
) -> Evaluation:
    """Measure all classifiers of a corpus on its test documents; `details` has `shown_run` of HCAN, if any.

    Args:
        networks, models: by name, a network's settings and the folders of its runs.
        linear: by name, the probabilities of a linear classifier (.npz).
        edges: lengths in words where ranges begin.
        learned: accuracy on dev whose first epoch is counted.

    Raises:
        InputError: a model or probabilities that cannot be read, or that are of other texts.
    """
    weights = weights_of(len(texts.gold["test"]))
    measured: dict[str, list[Arrays]] = {}
    for name, network in networks.items():
        measured[name] = [of_network(run, texts, weights, edges, learned) for run in models[name]]
        if name in SPREAD:
            looking = [of_attention(KINDS[network.kind], run, texts, weights) for run in models[name]]
            measured[name] = [{**run, **looks} for run, looks in zip(measured[name], looking, strict=True)]
    peers = {name: [of_run(path, texts, weights, edges)] for name, path in linear.items()}
    evaluation = evaluated({"networks": measured, "linear": peers})
    details: Details = shown_run(models[SHOWN][0], texts) if SHOWN in models else {}
    metrics = {"documents": counts(texts)} | evaluation.metrics
    return Evaluation(metrics, evaluation.replicates, details, not_converged(models))


def of_network(
    folder: str | Path, texts: Texts, weights: NDArray, edges: Sequence[int], learned: float
) -> dict[str, Array]:
    """The measures of one trained network, with `epochs`: the first one with an accuracy of `learned` on dev.

    Where no epoch reached it, `epochs` is one more than there were.

    Raises:
        InputError: the folder holds no trained network.
    """
    folder = Path(folder)
    try:
        history = json.loads((folder / "training.json").read_text(encoding="utf-8"))["history"]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{folder}: this is no trained network ({in_one_line(error)}); train it again") from None
    epochs = next((epoch["epoch"] for epoch in history if epoch["dev_accuracy"] >= learned), len(history) + 1)
    return {**of_run(folder / SCORES, texts, weights, edges), "epochs": np.full(len(weights), float(epochs))}


def of_attention(kind: type[DocumentNetwork], folder: Path, texts: Texts, weights: NDArray) -> dict[str, Array]:
    """The spread of a network's attention, and two controls of it.

    Returns:
        word_spread: of the network. untrained_spread: of the same network with new weights, all but the word vectors.
        even_target: `accuracy` and the other measures where every learned target is zero, so that it looks at all words
        and sentences alike; of an HCAN alone.
    """
    network = pretrained(kind, folder)
    sentences = texts.sentences["test"]
    measures = of_spread(word_spread(network, sentences), weights)
    untrained = of_spread(word_spread(untrained_copy(network, folder), sentences), weights)
    measures["untrained_spread"] = untrained["word_spread"]
    if isinstance(network, HCAN):
        for name, parameter in network.named_parameters():
            if name.endswith("target"):
                torch.nn.init.zeros_(parameter)
        probabilities = network.probabilities(network.numbers(sentences)).numpy().astype(np.float64)
        measures["even_target"] = classified(probabilities, texts.gold["test"], weights)
    return measures


def untrained_copy(network: DocumentNetwork, folder: Path, seed: int = 0) -> DocumentNetwork:
    """The network of a folder with new weights; it keeps its word vectors."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    torch.manual_seed(seed)
    copy = type(network)(**{name: value for name, value in config.items() if name != DESCRIPTION})
    copy.embedding = network.embedding
    return copy.eval()


def word_spread(network: Any, sentences: Sequence[Sentences], batch: int = 64) -> NDArray[np.float64]:
    """How widely the attention to the words of a sentence is spread, mean over a document's sentences: [N].

        exp(-sum over words of a log a) / words: 1 if it is even, near 1 / words if it is on a single word

    Sentences of fewer than `MIN_WORDS` words do not count; NaN for a document without others.

    Args:
        network: a `DocumentNetwork` with `readout`.
    """
    spreads = []
    for start in range(0, len(sentences), batch):
        ids = network.numbers(sentences[start : start + batch])
        weights = network.readout(ids).words.cpu().double()
        words = (ids != PADDING).sum(dim=2)
        spread = torch.exp(-torch.special.xlogy(weights, weights).sum(dim=2)) / words.clamp(min=1)
        counted = words >= MIN_WORDS
        mean = (spread * counted).sum(dim=1) / counted.sum(dim=1)
        spreads.append(mean.numpy())
    return np.concatenate(spreads)


def of_spread(values: NDArray, weights: NDArray) -> dict[str, Array]:
    """`word_spread` as a measure: the mean of the documents that have one [1 + R]."""
    there = ~np.isnan(values)
    total = (weights * there).sum(axis=1)
    sums = weights @ np.where(there, values, 0)
    return {"word_spread": np.divide(sums, total, out=np.full(len(weights), np.nan), where=total > 0)}
