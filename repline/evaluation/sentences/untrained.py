"""Sentence encoders that is not trained, on top of given word vectors: what a trained one has to beat.

    average                  mean of the word vectors
    random_projection        e_i W, then the maximum over the words
    random_lstm              a bidirectional LSTM with random weights, then the maximum over the words
    random_echo_state        h_i = (1 - α) h_{i-1} + α tanh(W e_i + R h_{i-1} + b), both ways, then the maximum

Weights are drawn from [-1/√d, 1/√d], d the dimensions of a word vector. R has a spectral radius of about ρ: its entries
are normal with standard deviation ρ/√n, by the circular law. Sentences are split as in the Penn Treebank; a word is
looked up as it is, then in lower case. A sentence without a known word is the zero vector.

Source: Wieting & Kiela 2019, *No Training Required: Exploring Random Encoders for Sentence Classification*, section 3.
"""

from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from repline.errors import InputError, shown
from repline.evaluation.sentences.recipes import RandomWeights, Untrained
from repline.layers.lstm_reader import read_sequences
from repline.segmentation.treebank import words

UNTRAINED = get_args(Untrained)
DEFAULT_WEIGHTS = RandomWeights()
BATCH = 256  # sentences that pass through a recurrence at a time


class UntrainedEncoder:
    """A sentence encoder without training.

    Args:
        kind: which one.
        index: word -> row; vectors: [V, d], may be memory-mapped.
        weights: of the random ones.

    Raises:
        InputError: an unknown kind, or an odd number of dimensions.
    """

    def __init__(
        self,
        kind: Untrained,
        index: Mapping[str, int],
        vectors: NDArray[np.floating],
        weights: RandomWeights = DEFAULT_WEIGHTS,
    ):
        dimensions = weights.dimensions
        if kind not in UNTRAINED:
            raise InputError(f"unknown encoder {shown(kind)}; valid are {', '.join(UNTRAINED)}")
        if dimensions < 2 or dimensions % 2:
            raise InputError(f"expected an even number of dimensions, found {dimensions}")
        self.kind, self.index, self.vectors = kind, index, vectors
        self.dimensions = vectors.shape[1] if kind == "average" else dimensions
        self.leak, rng, d = weights.leak, np.random.default_rng(weights.seed), vectors.shape[1]
        units = dimensions // 2

        def uniform(*shape: int) -> Tensor:
            return torch.from_numpy(rng.uniform(-(d**-0.5), d**-0.5, shape).astype(np.float32))

        if kind == "random_projection":
            self.projection = uniform(d, dimensions)
        elif kind == "random_lstm":
            self.lstm = nn.LSTM(d, units, batch_first=True, bidirectional=True).requires_grad_(False)
            for weight in self.lstm.parameters():
                weight.copy_(uniform(*weight.shape))
        elif kind == "random_echo_state":
            self.inputs, self.biases = uniform(2, d, units), uniform(2, 1, units)
            drawn = rng.normal(size=(2, units, units)) * weights.radius / np.sqrt(units)
            self.recurrent = torch.from_numpy(drawn.astype(np.float32))

    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of n sentences: float32 [n, D]."""
        rows = [self._rows(sentence) for sentence in sentences]
        vectors = np.zeros((len(rows), self.dimensions), dtype=np.float32)
        filled = sorted((row for row in range(len(rows)) if rows[row]), key=lambda row: len(rows[row]))
        for start in range(0, len(filled), BATCH):
            batch_rows = filled[start : start + BATCH]
            vectors[batch_rows] = self._pooled([rows[row] for row in batch_rows]).numpy()
        return vectors

    def _rows(self, sentence: str) -> list[int]:
        numbers = (self.index.get(word, self.index.get(word.lower())) for word in words(sentence))
        return [row for row in numbers if row is not None]

    def _pooled(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """The vectors [n, D] of sentences of at least one word, the shortest first."""
        lengths = torch.tensor([len(row) for row in rows])
        e = torch.zeros(len(rows), int(lengths[-1]), self.vectors.shape[1])  # [n, T, d]
        for number, row in enumerate(rows):
            e[number, : len(row)] = torch.from_numpy(np.asarray(self.vectors[row], dtype=np.float32))
        inside = torch.arange(e.shape[1]) < lengths[:, None]  # [n, T]
        if self.kind == "average":
            return e.sum(1) / lengths[:, None]
        if self.kind == "random_projection":
            states = e @ self.projection
        elif self.kind == "random_lstm":
            states = read_sequences(self.lstm, e, lengths)
        else:
            backwards = (lengths[:, None] - 1 - torch.arange(e.shape[1])).clamp(min=0)[:, :, None]  # [n, T, 1]
            turned = e.gather(1, backwards.expand_as(e))
            states = torch.cat([self._echo(e, 0), self._echo(turned, 1)], dim=2)
        return states.masked_fill(~inside[:, :, None], -torch.inf).amax(1)

    def _echo(self, e: Tensor, direction: int) -> Tensor:
        """[n, T, d] -> [n, T, D/2]; what stands behind a sentence's end comes after all of its states."""
        driven = e @ self.inputs[direction] + self.biases[direction]
        state, states = torch.zeros(len(e), driven.shape[2]), []
        for step in range(e.shape[1]):
            fresh = torch.tanh(driven[:, step] + state @ self.recurrent[direction])
            state = (1 - self.leak) * state + self.leak * fresh
            states.append(state)
        return torch.stack(states, dim=1)
