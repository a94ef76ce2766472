"""Scores of networks and linear classifiers on a corpus, and properties that trained networks have exactly.

The exact properties are that a score is a sum over words, and the gauge of phases; in double precision on test texts.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from repline.corpora.labelled.classified_texts import Sentences, Texts
from repline.evaluation.classification.scored_runs import counts, evaluated, not_converged, of_run
from repline.evaluation.classification.training import SCORES
from repline.evaluation.evaluations import Evaluation
from repline.evaluation.replication.weighted_draws import weights_of
from repline.layers.document_network import PADDING
from repline.pretrained import pretrained
from repline.systems.complex_embedding.model import BagOfStates, ComplexEmbedding
from repline.systems.complex_embedding.settings import Network
from repline.systems.complex_embedding.training import KINDS

BATCH = 64
EXACT_TEXTS = 300  # of test, whose scores are compared in double precision


def evaluate(
    networks: Mapping[str, Network],
    models: Mapping[str, Sequence[Path]],
    linear: Mapping[str, Path],
    texts: Texts,
    edges: Sequence[int],
) -> Evaluation:
    """Scores of all classifiers of a corpus on its test texts, and their `exact_measures`.

    Args:
        networks, models: by name, a network's settings and the folders of its runs.
        linear: by name, the probabilities of a linear classifier (.npz).
        edges: lengths in words where ranges begin.

    Raises:
        InputError: a model or probabilities cannot be read, or belong to other texts.
    """
    weights = weights_of(len(texts.gold["test"]))
    evaluation = evaluated(
        {
            "networks": {
                name: [of_run(run / SCORES, texts, weights, edges) for run in runs] for name, runs in models.items()
            },
            "linear": {name: [of_run(path, texts, weights, edges)] for name, path in linear.items()},
        }
    )
    exact = {
        name: exact_measures(pretrained(kind, models[name][0]), texts.sentences["test"][:EXACT_TEXTS])
        for name, network in networks.items()
        if issubclass(kind := KINDS[network.kind], BagOfStates)
    }
    metrics = {"documents": counts(texts)} | evaluation.metrics | {"exact": exact}
    return Evaluation(metrics, evaluation.replicates, not_converged=not_converged(models))


def exact_measures(model: BagOfStates, documents: Sequence[Sentences], seed: int = 0) -> dict[str, float]:
    """How far a network is from a sum over words, and how far phases that no projector sees change its scores.

    Returns:
        additivity: the largest difference of a sentence's score and the mean of the scores of its words alone.
        other_labels: share of sentences to which that mean gives another label.
        gauge: for complex networks, the largest change of a score when all phases of each word turn by one angle,
            drawn for the word by the seed.
        word_score_range: between the 1st and the 99th percentile of all words' scores, the mean over labels.
    """
    model = deepcopy(model).double().eval()
    ids = model.numbers(documents)
    scores, means = _scores(model, ids), _mean_of_words(model.word_scores(), ids)
    words = model.word_scores()
    quantiles = torch.quantile(words, torch.tensor([0.01, 0.99], dtype=words.dtype), dim=0)
    measures = {
        "additivity": float((scores - means).abs().max()),
        "other_labels": float((_labels(model, scores) != _labels(model, means)).double().mean()),
        "word_score_range": float((quantiles[1] - quantiles[0]).mean()),
    }
    if isinstance(model, ComplexEmbedding):
        measures["gauge"] = float((_scores(turned(model, seed), ids) - scores).abs().max())
    return measures


def turned(model: ComplexEmbedding, seed: int = 0) -> ComplexEmbedding:
    """A copy in which all phases of each word are increased by one angle, drawn for the word by the seed.

    Where the network has no phases (they are zero), the angles become its phases.
    """
    model = deepcopy(model)
    size = model.embedding.weight.shape
    angles = torch.from_numpy(np.random.default_rng(seed).uniform(-np.pi, np.pi, (size[0], 1)))
    angles = angles.to(model.embedding.weight.dtype)
    if model.phase is None:
        model.phase = torch.nn.Embedding(size[0], 1, _weight=angles)
    else:
        with torch.no_grad():
            model.phase.weight.add_(angles)
    return model


@torch.inference_mode()
def _scores(model: BagOfStates, ids: Tensor) -> Tensor:
    return torch.cat([model.scores(part) for part in ids.split(BATCH)])


def _mean_of_words(words: Tensor, ids: Tensor) -> Tensor:
    """The mean of the words' scores [V + 1, C] in each sentence [N, m]: [N, C]."""
    is_word = ids != PADDING
    sums = (words[(ids - 1).clamp(min=0)] * is_word[..., None]).sum(dim=1)
    return sums / is_word.sum(dim=1, keepdim=True)


@torch.inference_mode()
def _labels(model: BagOfStates, scores: Tensor) -> Tensor:
    return model.log_shares(scores).argmax(dim=1)
