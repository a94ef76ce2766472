"""How well a linear map of an encoder's states predicts word vectors, fitted by least squares after training.

For fixed states the maps that minimise the second loss are ordinary least squares of the targets on [h_t ; 1]. They are
fitted on train and judged on test, for every encoder alike, also for one that was trained without a second loss.

    current     w_t     from h_t
    next        w_{t+1} from h_t
    causal      w_{t+1} from hf_t, which has not read it
    previous    w_{t-1} from hb_t, which has not read it
"""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.systems.supervised_unsupervised.corpus import Data, lengths_of
from repline.systems.supervised_unsupervised.model import InferSent
from repline.systems.supervised_unsupervised.reconstruction import Term, aligned, part, squared_error

SENTENCE_BATCH = 512
TARGETS = (
    Term("current", "both", 0, 1.0),
    Term("next", "both", 1, 1.0),
    Term("causal", "forwards", 1, 1.0),
    Term("previous", "backwards", -1, 1.0),
)
Errors = dict[str, NDArray[np.float64]]
Read = tuple[Tensor, Tensor, Tensor]  # states [N, T, l], word vectors [N, T, d], lengths [N]


class LeastSquares:
    """The map A that minimises |[x ; 1] A - y|^2 over rows x, y that come in blocks; only their products are kept."""

    def __init__(self) -> None:
        self.squares: Tensor | float = 0.0  # [l + 1, l + 1]
        self.products: Tensor | float = 0.0  # [l + 1, d]

    def add(self, inputs: Tensor, targets: Tensor) -> None:
        """Add M rows: inputs [M, l] and targets [M, d]."""
        extended = torch.cat([inputs, inputs.new_ones(len(inputs), 1)], 1).double()
        self.squares = self.squares + extended.T @ extended
        self.products = self.products + extended.T @ targets.double()

    def solved(self) -> tuple[Tensor, Tensor]:
        """Weights [l, d] and bias [d], float64; the minimum-norm solution where several are best."""
        weights_and_bias = torch.linalg.pinv(self.squares, hermitian=True) @ self.products
        return weights_and_bias[:-1], weights_and_bias[-1]


@torch.no_grad()
def probe_errors(model: InferSent, vectors: Tensor, data: Data) -> Errors:
    """Errors of the fitted maps on test, by target [B, 2]: sum of squared errors of a pair, and its number of targets.

    Args:
        vectors: of the words [V + 1, d], where the model is.
    """
    fits = {term.name: LeastSquares() for term in TARGETS}
    for sentences in data.pairs["train"][:2]:
        for read in _read(sentences, vectors, model):
            for term in TARGETS:
                fits[term.name].add(*_valid(read, term))
    solved = {name: fit.solved() for name, fit in fits.items()}

    def predicted(states: Tensor, term: Term) -> Tensor:
        weights, bias = solved[term.name]
        return part(states, term.side).double() @ weights + bias

    return _errors(data, vectors, model, predicted)


@torch.no_grad()
def mean_errors(data: Data) -> Errors:
    """Errors of the mean vector of all training targets, the prediction that ignores the states."""
    means = {}
    for term in TARGETS:
        reads = [read for side in data.pairs["train"][:2] for read in _read(side, data.vectors)]
        means[term.name] = torch.cat([_valid(read, term)[1] for read in reads]).double().mean(0)
    return _errors(data, data.vectors, None, lambda states, term: means[term.name])


def _errors(data: Data, vectors: Tensor, model: InferSent | None, predicted) -> Errors:
    sides = []
    for sentences in data.pairs["test"][:2]:
        errors_by_term: dict[str, list[Tensor]] = {term.name: [] for term in TARGETS}
        for states, words, lengths in _read(sentences, vectors, model):
            for term in TARGETS:
                errors = squared_error(predicted(states, term), words.double(), lengths, term.offset)
                errors_by_term[term.name].append(torch.stack(errors, 1).cpu())
        sides.append({name: torch.cat(errors) for name, errors in errors_by_term.items()})
    return {name: (sides[0][name] + sides[1][name]).numpy() for name in sides[0]}


def _read(sentences: Tensor, vectors: Tensor, model: InferSent | None = None) -> Iterator[Read]:
    """Sentences [N, T] in blocks; without a model the word vectors take the place of the states."""
    for numbers in sentences.to(vectors.device).split(SENTENCE_BATCH):
        lengths = lengths_of(numbers)
        words = vectors[numbers[:, : int(lengths.max())]]
        yield (words if model is None else model.states(words, lengths)), words, lengths


def _valid(read: Read, term: Term) -> tuple[Tensor, Tensor]:
    """The states and the targets of the places that have one: [M, features], [M, d]."""
    states, words, lengths = read
    targets, valid = aligned(words, lengths, term.offset)
    return part(states, term.side)[valid], targets[valid]
