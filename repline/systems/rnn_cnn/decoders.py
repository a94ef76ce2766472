"""Decoders of the words that follow a sentence: all at once, or one after the other.

Notation: B sentences, z features of a sentence vector, N target positions, d dimensions of a word vector. All give
U [B, N, d], whose products with the word vectors are the logits. Predict-all decoders read the sentence vector alone;
autoregressive ones also read the words before each position.

Source: Tang, Jin, Fang, Wang & de Sa 2018, section 3.1; layers that the paper leaves open are marked.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, relu

from repline.layers.linear import Linear


class Positions(nn.Module):
    """Layer 1 of the predict-all decoders: N affine maps of a sentence vector, [B, z] -> [B, N, C].

    It is a transposed convolution with kernel N and stride 1 over a sequence of length 1.
    """

    def __init__(self, features: int, positions: int, channels: int):
        super().__init__()
        self.positions = positions
        self.maps = Linear(features, positions * channels)

    def forward(self, vectors: Tensor) -> Tensor:
        return self.maps(vectors).unflatten(1, (self.positions, -1))


class PredictAllCNN(nn.Module):
    """Layer 1, then two convolutions over the N positions, with ReLU between; padded to keep N.

    Args:
        features: z; positions: N; dimensions: d.
        channels: of layers 1 and 2; kernel: odd. Neither is stated.
    """

    autoregressive = False

    def __init__(self, features: int, positions: int, dimensions: int, channels: int, kernel: int = 3):
        super().__init__()
        self.first = Positions(features, positions, channels)
        self.second = nn.Conv1d(channels, channels, kernel, padding=kernel // 2)
        self.third = nn.Conv1d(channels, dimensions, kernel, padding=kernel // 2)

    def forward(self, vectors: Tensor) -> Tensor:
        """Outputs at all N positions: sentence vectors [B, z] -> [B, N, d]."""
        hidden = relu(self.first(vectors)).mT  # [B, C, N]
        return self.third(relu(self.second(hidden))).mT


class PredictAllRNN(nn.Module):
    """Layer 1, then a GRU in both directions with d/2 units each.

    Args:
        features: z; positions: N; dimensions: d.
        channels: of layer 1.
    """

    autoregressive = False

    def __init__(self, features: int, positions: int, dimensions: int, channels: int):
        super().__init__()
        self.first = Positions(features, positions, channels)
        self.recurrence = nn.GRU(channels, dimensions // 2, batch_first=True, bidirectional=True)

    def forward(self, vectors: Tensor) -> Tensor:
        """Outputs at all N positions: sentence vectors [B, z] -> [B, N, d]."""
        return self.recurrence(relu(self.first(vectors)))[0]


class AutoregressiveRNN(nn.Module):
    """A GRU over [E(w_{t-1}); z], then an affine map to d.

    Args:
        features: z; dimensions: d; units: of the GRU. Not stated.
    """

    autoregressive = True

    def __init__(self, features: int, dimensions: int, units: int):
        super().__init__()
        self.recurrence = nn.GRU(dimensions + features, units, batch_first=True)
        self.output = Linear(units, dimensions)

    def forward(self, vectors: Tensor, previous: Tensor) -> Tensor:
        """Outputs [B, t, d] of vectors [B, z]; previous: vectors of the words before each of t positions [B, t, d]."""
        return self.output(self.recurrence(_with_sentence_vectors(previous, vectors))[0])

    def step(self, vectors: Tensor, previous: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The output at the next position [B, d], and the state behind it.

        Args:
            vectors: [B, z]; previous: the vector of the word before the position [B, d].
            state: behind the position before; None at the first one.
        """
        outputs, state = self.recurrence(_with_sentence_vectors(previous[:, None], vectors), state)
        return self.output(outputs[:, 0]), state


class AutoregressiveCNN(nn.Module):
    """Two causal convolutions over [E(w_{t-1}); z]: padded on the left alone, with ReLU between. Not stated.

    Args:
        features: z; dimensions: d; channels: between the two.
    """

    autoregressive = True

    def __init__(self, features: int, dimensions: int, channels: int, kernel: int = 3):
        super().__init__()
        self.left = kernel - 1
        self.seen = 2 * self.left + 1  # positions whose words an output depends on
        self.first = nn.Conv1d(dimensions + features, channels, kernel)
        self.second = nn.Conv1d(channels, dimensions, kernel)

    def forward(self, vectors: Tensor, previous: Tensor) -> Tensor:
        """Outputs [B, t, d] of vectors [B, z]; previous: vectors of the words before each of t positions [B, t, d]."""
        return self._convolved(_with_sentence_vectors(previous, vectors))

    def step(self, vectors: Tensor, previous: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The output at the next position [B, d], and the state behind it: the inputs of as many positions as one sees.

        Args:
            vectors: [B, z]; previous: the vector of the word before the position [B, d].
            state: behind the position before; None at the first one.
        """
        inputs = _with_sentence_vectors(previous[:, None], vectors)
        inputs = inputs if state is None else torch.cat([state, inputs], dim=1)[:, -self.seen :]
        return self._convolved(inputs)[:, -1], inputs

    def _convolved(self, inputs: Tensor) -> Tensor:
        hidden = relu(self.first(pad(inputs.mT, (self.left, 0))))
        return self.second(pad(hidden, (self.left, 0))).mT


def _with_sentence_vectors(previous: Tensor, vectors: Tensor) -> Tensor:
    """Append the sentence vector to each word vector: [B, t, d], [B, z] -> [B, t, d + z]."""
    return torch.cat([previous, vectors[:, None].expand(-1, previous.shape[1], -1)], dim=2)
