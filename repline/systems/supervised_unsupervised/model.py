"""InferSent: a BiLSTM with a maximum over time, and a classifier of pairs of sentences.

    h_t = [hf_t; hb_t],    s = max_t h_t                                       by dimension
    y   = W3 (W2 (W1 [s1; s2; |s1 - s2|; s1 * s2] + b1) + b2) + b3
    CE  = -log( exp(y_gt) / Σ_j exp(y_j) )
    loss = CE + λ R,    R = Σ_t |L h_t - w_t|²  (AE, 1)    or    Σ_{t<T} |L h_t - w_{t+1}|²  (LM, 2)

R, the second loss, makes the states predict the words of both sentences of a pair. Its other forms, the mean of AE and
LM and those of the two directions (3, 4), and what the authors' program computes instead, are in its own module.

Notation: N sentences, B pairs, T places, d dimensions of the word vectors w, which are fixed, u units of each
direction, l = 2u. h is `states(vectors, lengths)` [N, T, l], s `encode` [N, l], y `forward(s1, s2)` [B, labels], W1 to
W3 `classifier`, with a tanh between them where `nonlinear`; L is `Reconstruction`, λ `weight`.

R lies in `repline.systems.supervised_unsupervised.reconstruction`, the BiLSTM in `repline.layers.recurrent_encoder`,
the maximum in `repline.layers.sentence_pooling`.

Source: Conneau, Kiela, Schwenk, Barrault & Bordes 2017; Levi 2018, section 2.
"""

from collections.abc import Sequence

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.errors import InputError
from repline.layers.recurrent_encoder import LSTMEncoder
from repline.layers.sentence_pooling import inside, maximum


class InferSent(nn.Module, PyTorchModelHubMixin):
    """Vectors of sentences, and the label of a premise and a hypothesis.

    Args:
        labels: their names.
        dimensions: d; units: u; hidden: of the classifier's two inner layers.
        nonlinear: a tanh behind each of these. Without, the three layers are one affine map, as in the program of 2017.
        padded_maximum: the maximum is over the padding's zeros, too, as in the program of 2017: a vector then depends
            on the longest sentence of its batch. For comparison only.

    Attributes:
        size: l, features of a sentence vector.

    Raises:
        InputError: fewer than two labels.
    """

    def __init__(
        self,
        labels: Sequence[str],
        dimensions: int,
        units: int,
        hidden: int,
        nonlinear: bool = False,
        padded_maximum: bool = False,
    ):
        super().__init__()
        if len(labels) < 2:
            raise InputError(f"expected at least two labels, found {', '.join(labels) or 'none'}")
        self.labels, self.padded_maximum = list(labels), padded_maximum
        self.dimensions = dimensions
        self.encoder = LSTMEncoder(dimensions, units, layers=1)
        self.size = self.encoder.size
        between = [nn.Tanh()] if nonlinear else []
        self.classifier = nn.Sequential(
            nn.Linear(4 * self.size, hidden),
            *between,
            nn.Linear(hidden, hidden),
            *between,
            nn.Linear(hidden, len(self.labels)),
        )

    def states(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Hidden states: word vectors [N, T, d], lengths [N] -> [N, T, l], zero behind the ends."""
        return self.encoder(vectors, lengths)[0]

    def pooled(self, states: Tensor, lengths: Tensor) -> Tensor:
        """Maximum over time: states [N, T, l], lengths [N] -> sentence vectors [N, l]."""
        if self.padded_maximum:
            return states.amax(1)
        return maximum(states, inside(lengths, states.shape[1]))

    def encode(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Sentence vectors: word vectors [N, T, d], lengths [N] -> [N, l]."""
        return self.pooled(self.states(vectors, lengths), lengths)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """Vectors of premises [B, l] and of hypotheses [B, l] -> logits [B, labels]."""
        return self.classifier(features(first, second))


def features(first: Tensor, second: Tensor) -> Tensor:
    """What the classifier reads of a pair: [B, l], [B, l] -> [s1 ; s2 ; |s1 - s2| ; s1 * s2], [B, 4l]."""
    return torch.cat([first, second, (first - second).abs(), first * second], 1)
