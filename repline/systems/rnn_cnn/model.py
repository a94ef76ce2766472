"""A bidirectional GRU whose pooled states predict the words that follow the sentence.

    h^m = [forward GRU; backward GRU](w_1 .. w_M)^m
    z   = [(1/M) Σ_m h^m; max_m h^m]                                       (1)
    U   = [u^1 .. u^N] = decoder(z)                                        all N words at once
    P(w_n) = exp(E(w_n) · u^n) / Σ_{w in V} exp(E(w) · u^n)                (2)
    loss   = -Σ_n log P(w_n)                                               (3), here the mean over target words

The decoder is three layers: N affine maps of z, then two convolutions over the N positions, with ReLU between. Others
read the words before each position as well, or have a GRU in place of the convolutions.

Notation: B sentences, M words of the longest, V words with a vector, d its dimensions, u units a direction, N target
positions; z counts its features, too, 4u of them (2u with the maximum alone). Words are numbers from 1 on; 0 is every
word outside the vocabulary: one input vector for all of them, and never a target. E is `embedding` [V + 1, d], of the
input as well; z is `sentence_vectors` [B, z], U `forward` [B, N, d].

The decoders lie in `repline.systems.rnn_cnn.decoders`, the pooling in `repline.layers.sentence_pooling`, (2) and (3) in
`repline.layers.linear_cross_entropy`, vectors of further words in `repline.systems.rnn_cnn.vocabulary_expansion`.

Source: Tang, Jin, Fang, Wang & de Sa 2018, equations 1 to 3.
"""

from collections.abc import Sequence
from typing import cast

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from repline.errors import InputError
from repline.layers.linear_cross_entropy import linear_cross_entropy
from repline.layers.sentence_pooling import inside, maximum, mean
from repline.systems.rnn_cnn.decoders import AutoregressiveCNN, AutoregressiveRNN, PredictAllCNN, PredictAllRNN
from repline.systems.rnn_cnn.settings import Feed, Kind, Pooling

UNKNOWN = 0


class ContextModel(nn.Module, PyTorchModelHubMixin):
    """An encoder of sentences with a decoder of the words that follow.

    Args:
        words: the vocabulary, V words.
        dimensions: d; units: u; targets: N.
        pooling: mean_max, or max for its second half alone (the paper's MaxOnly).
        decoder: cnn and rnn predict all words at once, ar_rnn and ar_cnn one after the other.
        feed: the word before each position that an autoregressive decoder reads: the true one (teacher), one drawn
            from the decoder's distribution (sampled), or one drawn from all V with equal chance (uniform).
        channels: of the decoder's first layers; None for d. decoder_units: of ar_rnn; None for 2d.

    Source: Tang, Jin, Fang, Wang & de Sa 2018, equations 1 to 3.
    """

    def __init__(
        self,
        words: Sequence[str],
        dimensions: int,
        units: int,
        targets: int,
        pooling: Pooling = "mean_max",
        decoder: Kind = "cnn",
        feed: Feed = "teacher",
        channels: int | None = None,
        decoder_units: int | None = None,
    ):
        super().__init__()
        if dimensions % 2 and decoder == "rnn":
            raise InputError(f"the decoder rnn has half of the dimensions in each direction; {dimensions} is odd")
        self.words, self.targets, self.pooling, self.feed = list(words), targets, pooling, feed
        self.embedding = nn.Embedding(len(self.words) + 1, dimensions)
        self.encoder = nn.GRU(dimensions, units, batch_first=True, bidirectional=True)
        self.features = 4 * units if pooling == "mean_max" else 2 * units
        channels = channels or dimensions
        self.decoder: nn.Module
        if decoder == "cnn":
            self.decoder = PredictAllCNN(self.features, targets, dimensions, channels)
        elif decoder == "rnn":
            self.decoder = PredictAllRNN(self.features, targets, dimensions, channels)
        elif decoder == "ar_rnn":
            self.decoder = AutoregressiveRNN(self.features, dimensions, decoder_units or 2 * dimensions)
        else:
            self.decoder = AutoregressiveCNN(self.features, dimensions, channels)

    @torch.no_grad()
    def begin(self, vectors: Tensor) -> None:
        """Set the vectors of the words [V, d]; the vector of unknown words is their mean."""
        self.embedding.weight[1:], self.embedding.weight[UNKNOWN] = vectors, vectors.mean(0)

    def sentence_vectors(self, embedded: Tensor, lengths: Tensor) -> Tensor:
        """Sentence vectors [B, z] of word vectors [B, M, d].

        Args:
            embedded: the vectors of the words; those behind a sentence's end are ignored.
            lengths: of each sentence [B], at least 1.
        """
        packed = pack_padded_sequence(embedded, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.encoder(packed)[0], batch_first=True)  # [B, M, 2u], 0 behind the ends
        return pooled(states, lengths.to(states.device), self.pooling)

    def forward(self, sentences: Tensor, lengths: Tensor, targets: Tensor | None = None) -> Tensor:
        """The outputs of the decoder at each position, [B, N, d].

        Args:
            sentences: word numbers [B, M]; lengths: [B].
            targets: the words that follow [B, N]; only a decoder with a teacher reads them.
        """
        vectors = self.sentence_vectors(self.embedding(sentences), lengths)
        return self.decoded(vectors, targets)

    def decoded(self, vectors: Tensor, targets: Tensor | None = None) -> Tensor:
        """The outputs of the decoder: sentence vectors [B, z] -> [B, N, d]; targets as in `forward`."""
        if not self.decoder.autoregressive:
            return self.decoder(vectors)
        if self.feed == "teacher":
            if targets is None:
                raise InputError("a decoder with a teacher needs the words that follow")
            before = targets
        elif self.feed == "uniform":
            shape = len(vectors), self.targets
            before = torch.randint(1, len(self.words) + 1, shape, device=vectors.device)
        else:
            before = self._drawn(vectors)
        return self.decoder(vectors, self._previous(before[:, :-1]))

    def losses(self, outputs: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """The sum of -log P(w_n) over the targets in the vocabulary, and their number.

        Args:
            outputs: [B, N, d], of `forward`; targets: [B, N].
        """
        is_known = targets != UNKNOWN
        weight = self.embedding.weight[1:]
        return linear_cross_entropy(outputs[is_known], weight, None, targets[is_known] - 1), is_known.sum()

    def logits(self, outputs: Tensor) -> Tensor:
        """Logits of the words: outputs [..., d] -> [..., V]."""
        return outputs @ self.embedding.weight[1:].mT

    def _previous(self, before: Tensor) -> Tensor:
        """Word numbers [B, t - 1] -> the vectors of the words before t positions [B, t, d], zero for the first."""
        embedded = self.embedding(before)  # [B, t - 1, d]
        return torch.cat([embedded.new_zeros(len(before), 1, embedded.shape[2]), embedded], dim=1)

    @torch.no_grad()
    def _drawn(self, vectors: Tensor) -> Tensor:
        """Words drawn from the model's distributions, each after those before it: [B, N]."""
        decoder = cast(AutoregressiveRNN | AutoregressiveCNN, self.decoder)
        drawn: list[Tensor] = []
        previous, state = vectors.new_zeros(len(vectors), self.embedding.embedding_dim), None
        for _ in range(self.targets):
            output, state = decoder.step(vectors, previous, state)
            drawn.append(torch.multinomial(self.logits(output).softmax(1), 1)[:, 0] + 1)
            previous = self.embedding(drawn[-1])
        return torch.stack(drawn, dim=1)


def pooled(states: Tensor, lengths: Tensor, pooling: Pooling = "mean_max") -> Tensor:
    """Mean and maximum of the states of each sentence, or the maximum alone.

    Args:
        states: [B, M, h]; lengths: [B].

    Returns:
        [B, 2h]; [B, h] for the maximum alone.

    Source: equation 1.
    """
    is_inside = inside(lengths, states.shape[1])
    highest = maximum(states, is_inside)
    return highest if pooling == "max" else torch.cat([mean(states, is_inside), highest], dim=1)
