"""The two sentence encoders, DAN and Transformer. Both take packed sentences, concatenated without padding.

Notation: B sentences, T tokens of all of them, d dimensions of an embedding, m of a sentence vector.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

MAX_PADDED_TOKENS = 512  # of a group that a transformer pads to one length; padding a whole batch is mostly padding
WORD_SPREAD, BIGRAM_SPREAD = 0.1, 0.01  # standard deviations of embeddings that begin at random; not stated


class DAN(nn.Module):
    """A network over the sum of the embeddings of a sentence's words and bigrams.

        a = (sum_i w_i + sum_i b_{i, i+1}) / sqrt(n);   enc(x) = W_3 relu(W_2 relu(W_1 a))

    n is the number of words, for both sums. Gradients of the tables are sparse.

    Args:
        words: rows of the table of words.
        buckets: rows of the table of bigrams, which are hashed; 0 for none.
        dimensions: d.
        layers: units of each layer; the last is m.

    Source: Yang et al. 2018, section 2.3.1; Iyyer et al. 2015.
    """

    def __init__(self, words: int, buckets: int, dimensions: int, layers: Sequence[int]):
        super().__init__()
        self.words = nn.EmbeddingBag(words, dimensions, mode="sum", sparse=True)
        nn.init.normal_(self.words.weight, std=WORD_SPREAD)
        self.bigrams = None
        if buckets:
            self.bigrams = nn.EmbeddingBag(buckets, dimensions, mode="sum", sparse=True)
            nn.init.normal_(self.bigrams.weight, std=BIGRAM_SPREAD)
        self.layers = dense_layers(dimensions, layers)

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Tokens [T], words of each sentence [B] (at least one) -> [B, m]."""
        return self.layers(self.averages(tokens, lengths))

    def averages(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """The scaled sum a of each sentence: tokens [T], lengths [B] -> [B, d]."""
        starts = lengths.cumsum(0) - lengths
        sums = self.words(tokens, starts)  # [B, d]
        if self.bigrams is not None:
            rows = bigram_rows(tokens, lengths, self.bigrams.num_embeddings)
            if len(rows):
                sums = sums + self.bigrams(rows, starts - torch.arange(len(lengths), device=lengths.device))
        return sums / lengths.sqrt()[:, None]


class Transformer(nn.Module):
    """The encoder half of a transformer, the mean of its states, and an affine map to m.

    Layers are those of 2017: attention, then a network at each position, each with a residual and a norm behind it.

    Args:
        words: rows of the table of words.
        dimensions: d, which is also the width of the layers; inner: units inside a position's network.
        layers, heads: number of layers, and of attention heads in each.
        size: m. The map from d to it is ours: the paper has d = 512 and m = 500.
        dropout: on embeddings, attention and the outputs of each half of a layer.
        positions: whether the sinusoidal signal is added; a test takes it away.

    Source: Yang et al. 2018, section 2.3.2; Vaswani et al. 2017, sections 3.1 to 3.5.
    """

    def __init__(
        self,
        words: int,
        dimensions: int,
        *,
        layers: int,
        heads: int,
        inner: int,
        size: int,
        dropout: float,
        positions: bool = True,
    ):
        super().__init__()
        self.words = nn.Embedding(words, dimensions)
        nn.init.normal_(self.words.weight, std=dimensions**-0.5)
        self.dropout = nn.Dropout(dropout)
        layer = nn.TransformerEncoderLayer(dimensions, heads, inner, dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.map = nn.Linear(dimensions, size)
        self.positions = positions

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Tokens [T], words of each sentence [B] (at least one) -> [B, m]."""
        sentences = tokens.split(lengths.tolist())
        order = lengths.argsort(stable=True)
        groups = order.split(padded_group_sizes(lengths[order].tolist()))
        means = [self._means([sentences[row] for row in group.tolist()], lengths[group]) for group in groups]
        return self.map(torch.cat(means)[order.argsort()])

    def _means(self, sentences: list[Tensor], lengths: Tensor) -> Tensor:
        """The mean states of sentences that are padded to the longest of them [B, d]."""
        padded = pad_sequence(sentences, batch_first=True)  # [B, t]
        inside = torch.arange(padded.shape[1], device=padded.device) < lengths[:, None]  # [B, t]
        states = self.words(padded) * math.sqrt(self.words.embedding_dim)  # [B, t, d]
        if self.positions:
            states = states + timing_signal(padded.shape[1], self.words.embedding_dim).to(states)
        states = self.encoder(self.dropout(states), src_key_padding_mask=~inside)
        return (states * inside[:, :, None]).sum(1) / lengths[:, None]


def padded_group_sizes(lengths: Sequence[int], max_tokens: int = MAX_PADDED_TOKENS) -> list[int]:
    """Sizes of the groups of sentences that are padded to one length: at most `max_tokens` each, or one sentence.

    Args:
        lengths: of the sentences, ascending.
        max_tokens: of a group, padding among them.

    >>> padded_group_sizes([1, 1, 2, 3, 9], max_tokens=6)
    [3, 1, 1]
    """
    groups: list[int] = []
    for length in lengths:
        if groups and (groups[-1] + 1) * length <= max_tokens:
            groups[-1] += 1
        else:
            groups.append(1)
    return groups


def dense_layers(size: int, layers: Sequence[int]) -> nn.Sequential:
    """Linear layers with these units on an input of `size`, ReLU between them and none behind the last."""
    network: list[nn.Module] = []
    for number, units in enumerate(layers):
        network += ([nn.ReLU()] if number else []) + [nn.Linear(size, units)]
        size = units
    return nn.Sequential(*network)


def bigram_rows(tokens: Tensor, lengths: Tensor, buckets: int) -> Tensor:
    """The row of every bigram inside a sentence, a sentence after the other [T - B]: a hash of its two words."""
    inside = torch.ones(len(tokens), dtype=torch.bool, device=tokens.device)
    inside[lengths.cumsum(0) - 1] = False  # the last word of a sentence begins none
    first_words = inside.nonzero()[:, 0]
    mixed = (tokens[first_words].long() * 1_000_003 + tokens[first_words + 1].long()) * 0x9E3779B1
    return ((mixed ^ (mixed >> 17)) & 0x7FFFFFFF) % buckets


def timing_signal(positions: int, dimensions: int) -> Tensor:
    """Sinusoidal position signal [positions, d]: sines in the first half of the dimensions, cosines in the second.

    signal(t, i) = sin(t r_i), signal(t, d/2 + i) = cos(t r_i), with r_i from 1 to 1/10000 in geometric steps: the
    layout of tensor2tensor, which a permutation of dimensions turns into that of Vaswani et al. 2017.
    """
    half = (dimensions + 1) // 2
    rates = torch.exp(torch.arange(half) * (-math.log(10_000.0) / max(1, half - 1)))
    angles = torch.arange(positions)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], 1)[:, :dimensions]
