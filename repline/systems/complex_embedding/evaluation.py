"""What holds exactly of a trained network, in double precision on test sentences: additivity, the gauge of phases."""

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import torch
from torch import Tensor

from repline.corpora.labelled.classified_texts import Sentences
from repline.layers.document_network import PADDING
from repline.systems.complex_embedding.model import BagOfStates, ComplexEmbedding

BATCH = 64


def exact_measures(model: BagOfStates, documents: Sequence[Sentences], seed: int = 0) -> dict[str, float]:
    """How far a network is from a sum over words, and what the phases that no projector sees do.

    Returns:
        additivity: the largest difference of a sentence's score and the mean of its words' own scores.
        other_labels: share of sentences to which that mean gives another label.
        gauge: for complex networks, the largest change of a score when every word's phases all turn by an angle of
            its own, drawn by the seed.
        word_score_range: between the 1st and the 99th percentile of all words' scores, the mean over labels.
    """
    model = deepcopy(model).double().eval()
    ids = model.numbers(documents)
    scores, means = _scores(model, ids), _mean_of_words(model.word_scores(), ids)
    words = model.word_scores()
    quantiles = torch.quantile(words, torch.tensor([0.01, 0.99], dtype=words.dtype), dim=0)
    found = {
        "additivity": float((scores - means).abs().max()),
        "other_labels": float((_labels(model, scores) != _labels(model, means)).double().mean()),
        "word_score_range": float((quantiles[1] - quantiles[0]).mean()),
    }
    if isinstance(model, ComplexEmbedding):
        found["gauge"] = float((_scores(turned(model, seed), ids) - scores).abs().max())
    return found


def turned(model: ComplexEmbedding, seed: int = 0) -> ComplexEmbedding:
    """A copy in which every word's phases are all increased by an angle of its own; zero phases become those angles."""
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
    there = ids != PADDING
    sums = (words[(ids - 1).clamp(min=0)] * there[..., None]).sum(dim=1)
    return sums / there.sum(dim=1, keepdim=True)


@torch.inference_mode()
def _labels(model: BagOfStates, scores: Tensor) -> Tensor:
    return model.log_shares(scores).argmax(dim=1)
