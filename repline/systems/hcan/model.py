"""The hierarchical convolutional attention network and its ablations.

    E      <- Dropout(E + P)                                                 position vectors P
    Q, K, V = ELU(Conv(E)),  V^b = tanh(Conv(E))                             width 3, branches a and b: six convolutions
    head    = Dropout(softmax(Q K^T / sqrt(d/h))) V                          for each slice of d/h features
    E'      = LayerNorm([head^a_1; ...; head^a_h] * [head^b_1; ...; head^b_h])                          (section 3.4)
    K', V'  = ELU(Conv(E'))
    v       = heads of Dropout(softmax(T K'^T / sqrt(d/h))) V', side by side; T learned                 (section 3.5)

One such level makes a sentence's vector of its words, a second one the document's vector v of these; then

    p(label) = softmax(W Dropout(v) + b)

The paper prints sqrt(d) where its heads of d/h features ask for sqrt(d/h): `scale` has both.

Notation: R sequences at a time, l positions, d features (`size`), h heads, C labels; B documents of S sentences of L
words. E is `states` [R, l, inputs], P `positions` [longest, inputs], Q, K, V `projected(states)` [R, branches h, l,
d/h], E' `sequence(states, there)` [R, l, d], T `target` [d]; W and b are the last layer of `HCAN.output`.

The table of word vectors and the labels lie in `repline.layers.document_network`.

Source throughout: Gao, Ramanathan & Tourassi 2018, sections 3.1 to 3.7.
"""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, elu, layer_norm, pad, scaled_dot_product_attention

from repline.errors import InputError
from repline.layers.document_network import PADDING, DocumentNetwork, Readout, cut
from repline.layers.linear import linear
from repline.systems.hcan.settings import Norm, Pooling, Scale, Values

EPSILON = 1e-5  # of the layer norm
MAX_UNFUSED_LENGTH = 64  # places of a sequence; longer ones go through the fused kernel of PyTorch
SENTENCES_PER_BLOCK = 128  # sentences of similar length whose words are read at a time


class ConvolutionalAttention(nn.Module):
    """One level: a sequence of vectors E becomes one vector v, by the equations of the module.

    Positions without a word are zero before every convolution, have weight 0 and are left out of every maximum.

    Args:
        inputs: features of each position.
        size: d.
        heads: h; it divides d.
        longest: positions that have a position vector; later positions take the last vector.
        branches: 2, or 1 for branch a alone.
        pooling: target; or maxpool, the maximum of E' over the positions.
        values: convolution, the paper; or sequence, the authors' program, where V of the target attention is E' itself.
        norm: position, a mean and variance for each position; or joint, the authors' program, one over all places of a
            sequence and their features (here without the padding).
        scale: head, sqrt(d/h); or full, sqrt(d) as printed.
        width: of the convolutions, odd; 1 for tests.
        dropout: of positions and of attention weights.

    Raises:
        InputError: heads that do not divide d, or an even width.
    """

    def __init__(
        self,
        inputs: int,
        size: int,
        heads: int,
        longest: int,
        *,
        branches: Literal[1, 2] = 2,
        pooling: Pooling = "target",
        values: Values = "convolution",
        norm: Norm = "position",
        scale: Scale = "head",
        width: int = 3,
        dropout: float = 0.1,
    ):
        super().__init__()
        if size % heads or width % 2 == 0:
            raise InputError(
                f"hcan: expected heads that divide the size and an odd width, found {heads}, {size}, {width}"
            )
        self.size, self.heads, self.branches, self.pooling = size, heads, branches, pooling
        self.values, self.norm, self.dropout = values, norm, dropout
        self.factor = (size if scale == "full" else size // heads) ** -0.5
        self.positions = nn.Parameter(torch.randn(longest, inputs) * 0.1)
        self.convolution = _convolutions(inputs, size, 3 * branches, width)  # Q, K, V of branch a, then of b
        self.gain, self.bias = nn.Parameter(torch.ones(size)), nn.Parameter(torch.zeros(size))
        if pooling == "target":
            self.target = nn.Parameter(nn.init.orthogonal_(torch.empty(1, size))[0])
            self.target_convolution = _convolutions(size, size, 2 if values == "convolution" else 1, width)

    def forward(self, states: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """[R, l, inputs], bool [R, l] -> [R, d], and the target weights of each position, means over heads [R, l].

        With maxpool the weights are the share of features whose maximum is at the position. A sequence without words
        becomes a finite vector, never NaN.
        """
        sequence = self.sequence(states, there)
        return self._maximum(sequence, there) if self.pooling == "maxpool" else self._attended(sequence, there)

    def sequence(self, states: Tensor, there: Tensor) -> Tensor:
        """E' of the module's equations: [R, l, inputs] -> [R, l, d], zero where there is no word."""
        positions = torch.arange(states.shape[1], device=states.device).clamp(max=len(self.positions) - 1)
        states = dropout(states + self.positions[positions], self.dropout, self.training) * there[..., None]
        query, key, value = self.projected(states)
        mixed = attended(query, key, value, there, self.factor, self.dropout if self.training else 0.0)
        branches = mixed.transpose(1, 2).unflatten(2, (self.branches, self.heads)).flatten(3)  # [R, l, branches, d]
        return self._normed(branches.prod(dim=2), there) * there[..., None]

    def projected(self, states: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Q, K, V of all branches and heads: [R, l, inputs] -> three of [R, branches h, l, d/h]."""
        projections = convolved(self.convolution, states).unflatten(2, (self.branches, 3, self.size))
        query, key, value = projections.unbind(dim=3)  # [R, l, branches, d]
        value = torch.cat([elu(value[:, :, :1]), torch.tanh(value[:, :, 1:])], dim=2)
        shape = (self.branches * self.heads, self.size // self.heads)
        return tuple(part.flatten(2).unflatten(2, shape).transpose(1, 2) for part in (elu(query), elu(key), value))

    def _normed(self, states: Tensor, there: Tensor) -> Tensor:
        if self.norm == "position":
            return layer_norm(states, (self.size,), self.gain, self.bias, EPSILON)
        count = (there.sum(dim=1).clamp(min=1) * self.size)[:, None, None]
        states = states * there[..., None]
        centred = (states - states.sum(dim=(1, 2), keepdim=True) / count) * there[..., None]
        variance = centred.square().sum(dim=(1, 2), keepdim=True) / count
        return centred * (variance + EPSILON).rsqrt() * self.gain + self.bias

    def _attended(self, sequence: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        shape = (self.heads, self.size // self.heads)
        projections = elu(convolved(self.target_convolution, sequence)).unflatten(2, (-1, *shape))
        key = projections[:, :, 0]  # [R, l, h, d/h]
        value = projections[:, :, 1] if self.values == "convolution" else sequence.unflatten(2, shape)
        scores = torch.einsum("hd,rlhd->rhl", self.target.unflatten(0, shape), key) * self.factor
        scores = scores.masked_fill(~there[:, None], torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=2) * there[:, None]  # [R, h, l]
        dropped = dropout(weights, self.dropout, self.training)
        return torch.einsum("rhl,rlhd->rhd", dropped, value).flatten(1), weights.mean(dim=1)

    def _maximum(self, sequence: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        hidden = sequence.masked_fill(~there[..., None], torch.finfo(sequence.dtype).min)
        values, argmax = hidden.max(dim=1)
        shares = torch.zeros_like(there, dtype=sequence.dtype)
        shares.scatter_add_(1, argmax, torch.full_like(values, 1 / self.size, dtype=sequence.dtype))
        return values * there.any(dim=1, keepdim=True), shares * there


class HCAN(DocumentNetwork):
    """Words to sentences, sentences to a document, each by a `ConvolutionalAttention`; softmax(W Dropout(v) + b).

    The words of all sentences of a batch that have some are one batch of sequences; padded sentences cost nothing.

    Args:
        size, heads: d and h of both levels.
        flat: one level over all words of the document, which is the paper's Conv Attention Network.
        document_dropout: of the document's vector; 0 in the paper, 0.1 in the authors' program.
        width, branches, pooling, values, norm, scale, dropout: of the levels.
        shared: of `DocumentNetwork`.

    Source: Gao et al. 2018, sections 3.1 to 3.7.
    """

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        dimensions: int,
        sentences: int,
        length: int,
        *,
        size: int = 512,
        heads: int = 8,
        flat: bool = False,
        branches: Literal[1, 2] = 2,
        pooling: Pooling = "target",
        values: Values = "convolution",
        norm: Norm = "position",
        scale: Scale = "head",
        width: int = 3,
        dropout: float = 0.1,
        document_dropout: float = 0.0,
        spread: float = 0.3,
    ):
        super().__init__(labels, words, dimensions, sentences, length, spread)
        self.hierarchical = not flat
        longest_sequences = [sentences * length] if flat else [length, sentences]
        inputs = [dimensions, size]
        self.levels = nn.ModuleList(
            ConvolutionalAttention(
                features,
                size,
                heads,
                longest,
                branches=branches,
                pooling=pooling,
                values=values,
                norm=norm,
                scale=scale,
                width=width,
                dropout=dropout,
            )
            for features, longest in zip(inputs, longest_sequences, strict=False)
        )
        readout = nn.Linear(size, len(self.labels))
        nn.init.orthogonal_(readout.weight)
        nn.init.zeros_(readout.bias)
        self.output = nn.Sequential(nn.Dropout(document_dropout), readout)

    def forward(self, ids: Tensor) -> Tensor:
        """[B, S, L], or [B, L] for a flat one -> unnormalised log-probabilities (logits) [B, C]."""
        return self.output(self._document(cut(ids))[0])

    @torch.inference_mode()
    def readout(self, ids: Tensor) -> Readout:
        """Target weights of one batch [B, S, L], means over the heads; a flat network has one sentence, all words."""
        training = self.training
        self.eval()
        weights = self._document(ids.to(self.embedding.weight.device))[1]
        self.train(training)
        return weights

    def _document(self, ids: Tensor) -> tuple[Tensor, Readout]:
        """[B, S, L] or [B, L] -> the documents' vectors [B, d] and what was looked at."""
        there = ids != PADDING
        if not self.hierarchical:
            vectors, weights = self.levels[0](self.embedding(ids), there)
            return vectors, Readout(weights[:, None], weights.new_ones(len(ids), 1))
        filled = there.any(dim=2)  # [B, S]
        vectors, weights = self._of_sentences(ids[filled])
        sentences = vectors.new_zeros(*filled.shape, vectors.shape[1])  # [B, S, d]
        sentences[filled] = vectors
        word_shares = weights.new_zeros(ids.shape)
        word_shares[filled] = weights
        documents, sentence_shares = self.levels[1](sentences, filled)
        return documents, Readout(word_shares, sentence_shares)

    def _of_sentences(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Sentences [R, L] -> their vectors [R, d] and weights [R, L]; sentences of similar length share a block."""
        order = (ids != PADDING).sum(dim=1).argsort(stable=True)
        vectors, weights = [], []
        for rows in order.split(SENTENCES_PER_BLOCK):
            part = cut(ids[rows])
            sentence_vectors, word_weights = self.levels[0](self.embedding(part), part != PADDING)
            vectors.append(sentence_vectors)
            weights.append(pad(word_weights, (0, ids.shape[1] - word_weights.shape[1])))
        back = order.argsort()
        return torch.cat(vectors)[back], torch.cat(weights)[back]


def attended(query: Tensor, key: Tensor, value: Tensor, there: Tensor, factor: float, rate: float = 0.0) -> Tensor:
    """Dropout(softmax(factor Q K^T)) V for [R, heads, l, d/h], with weight 0 where `there`, bool [R, l], is not.

    Sequences are short, and the fused kernel of PyTorch takes longer for them than two products and a softmax.
    """
    lowest = torch.finfo(query.dtype).min
    hidden = torch.zeros_like(there, dtype=query.dtype).masked_fill(~there, lowest)[:, None, None]
    if there.shape[1] > MAX_UNFUSED_LENGTH:
        return scaled_dot_product_attention(query, key, value, attn_mask=hidden, dropout_p=rate, scale=factor)
    weights = ((query * factor) @ key.mT + hidden).softmax(dim=3)
    return (dropout(weights, rate) if rate else weights) @ value


def convolved(layer: nn.Conv1d, states: Tensor) -> Tensor:
    """Apply a convolution of odd width and zero padding as one matrix product: [R, l, inputs] -> [R, l, outputs].

    On a CPU this takes two thirds of the time of the convolution, and no axis has to be turned.
    """
    width = layer.kernel_size[0]
    length = states.shape[1]
    padded = pad(states, (0, 0, width // 2, width // 2))
    windows = torch.cat([padded[:, start : start + length] for start in range(width)], dim=2)  # [R, l, width inputs]
    return linear(windows, layer.weight.permute(0, 2, 1).flatten(1), layer.bias)


def _convolutions(inputs: int, size: int, number: int, width: int) -> nn.Conv1d:
    """`number` convolutions in one layer, each with its own orthogonal initial kernel, biases zero."""
    layer = nn.Conv1d(inputs, number * size, width, padding=width // 2)
    with torch.no_grad():
        for kernel in layer.weight.split(size):
            nn.init.orthogonal_(kernel)
        if layer.bias is not None:
            nn.init.zeros_(layer.bias)
    return layer
