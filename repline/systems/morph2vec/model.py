"""morph2vec: a word vector from the morphs of the word's candidate segmentations.

    h→_i, h←_i = LSTM(m_1 .. m_n), LSTM(m_n .. m_1)          the last states over the morphs of candidate i
    v_i  = H [h→_i; h←_i] + b
    a_i  = softmax_i(qᵀ tanh(W v_i))
    f(w) = Σ_i a_i v_i
    J    = mean over words of -cos(f(w), y_w) + (λ/2) ‖Θ‖²   y_w the pre-trained vector of w, Θ all weights

The projection H before the attention is that of the authors' program: the paper has the states themselves there. The
program also penalises the size of the attention's logits; here that penalty is 0 unless it is set.

Notation: B words of at most S candidates of at most T morphs, C real candidates in all; M morphs of e dimensions; word
vectors of d dimensions; LSTMs of u units. Morphs are rows of `table` [M, e]; (H, b) is `projection` (2u -> d), v
`encode(sequences)` [C, d], W [d, d] and q [1, d] are `weight` and `query` of `Attention`, f(w) is `forward` [B, d] and
a `Composed.weights` [B, S]. λ is the weight decay of the optimizer in `repline.systems.morph2vec.training`.

The tries by which shared beginnings are read once lie in `repline.systems.morph2vec.tries`.

Source: Üstün, Kurfalı & Can 2018, "Characters or Morphemes: How to Represent Words?", equations 1 to 4;
the minus sign of J is missing in 4.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn
from torch.nn.functional import dropout, linear

from repline.systems.morph2vec.settings import Encoder, Mixing
from repline.systems.morph2vec.tries import prefix_trie, reverse


class Composed(NamedTuple):
    """Composed vectors of B words, and how their candidates were weighted."""

    vectors: Tensor  # [B, d], zeros for a word without candidates
    weights: Tensor  # [B, S], 0 in padding
    logits: Tensor  # [C]


class Recurrence(nn.Module):
    """An LSTM over tries: the state of a node is computed once, from that of its parent.

    The input products are taken once a morph, and the first step has no state to multiply.

    Args:
        embedding: e; units: u.
    """

    def __init__(self, embedding: int, units: int):
        super().__init__()
        self.inputs = nn.Parameter(torch.empty(4 * units, embedding))  # gates: input, forget, cell, output
        self.recurrent = nn.Parameter(torch.empty(4 * units, units))
        self.bias = nn.Parameter(torch.zeros(4 * units))
        for gate in range(4):
            rows = slice(gate * units, (gate + 1) * units)
            nn.init.xavier_uniform_(self.inputs.data[rows])
            nn.init.orthogonal_(self.recurrent.data[rows])
        self.bias.data[units : 2 * units] = 1

    def forward(self, embeddings: Tensor, sequences: Tensor) -> tuple[Tensor, Tensor]:
        """embeddings [m, e] of the morphs in use, sequences [C, T] -> states [nodes, u], the node of each [C, T]."""
        levels, nodes = prefix_trie(sequences, len(embeddings))
        products = linear(embeddings, self.inputs, self.bias)  # [m, 4u]
        states, cell = [], None
        for morphs, parents in levels:
            gates = products[morphs]  # [n, 4u]
            if cell is not None:
                gates = gates + linear(states[-1], self.recurrent)[parents]
            i, f, g, o = gates.chunk(4, dim=1)
            new = i.sigmoid() * g.tanh()
            cell = new if cell is None else new + f.sigmoid() * cell[parents]
            states.append(o.sigmoid() * cell.tanh())  # [n, u]
        return torch.cat(states), nodes


class Morph2Vec(nn.Module, PyTorchModelHubMixin):
    """Vectors f(w) of words from their candidate segmentations, by the equations of the module.

    Args:
        morphs: their names, M.
        dimensions: d; embedding: e; units: u.
        encoder: bilstm; bag, the mean of the embeddings in place of the states; attentive, all states of a candidate
            mixed by a second attention, as in the authors' later program.
        mixing: attention, average (a_i equal), or first: the first candidate alone.
        dropout: of the embeddings, a whole morph alike in a batch, and of the states.

    Source: Üstün et al. 2018, eqs. 1 to 3; the projection before the attention is that of the authors' program.
    """

    def __init__(
        self,
        morphs: Sequence[str],
        dimensions: int,
        embedding: int,
        units: int,
        encoder: Encoder = "bilstm",
        mixing: Mixing = "attention",
        dropout: float = 0.0,
    ):
        super().__init__()
        self.morphs, self.encoder, self.mixing, self.dropout = list(morphs), encoder, mixing, dropout
        self.table = nn.Embedding(len(self.morphs), embedding)
        nn.init.uniform_(self.table.weight, -0.05, 0.05)
        width = embedding
        if encoder != "bag":
            width = 2 * units
            self.ahead, self.back = Recurrence(embedding, units), Recurrence(embedding, units)
        self.projection = nn.Linear(width, dimensions)
        self.attention = Attention(dimensions)
        if encoder == "attentive":
            self.inner = Attention(width)
        nn.init.xavier_uniform_(self.projection.weight)
        nn.init.zeros_(self.projection.bias)

    def forward(self, candidates: Tensor) -> Tensor:
        """Vectors of B words: [B, S, T] morphs, padded with -1 -> [B, d]."""
        return self.compose(candidates).vectors

    def compose(self, candidates: Tensor) -> Composed:
        """The vectors of B words, with the weights of their candidates.

        Args:
            candidates: [B, S, T] morphs; padding, of candidates and inside of them, is -1. Nothing is computed for it.
        """
        real = candidates[:, :, 0] >= 0  # [B, S]
        if self.mixing == "first":
            real = real & (real.cumsum(1) == 1)
        words = real.nonzero()[:, 0]  # [C]
        vectors = self.encode(candidates[real])  # [C, d]
        logits = self.attention(vectors) if self.mixing == "attention" else vectors.new_zeros(len(vectors))
        laid = torch.full(real.shape, -torch.inf, dtype=logits.dtype, device=logits.device)
        weights = laid.masked_scatter(real, logits).softmax(1)[real]  # [C]
        mixed = vectors.new_zeros(len(candidates), vectors.shape[1])
        mixed = mixed.index_add(0, words, weights[:, None] * vectors)
        return Composed(mixed, torch.zeros_like(laid).masked_scatter(real, weights), logits)

    def encode(self, sequences: Tensor) -> Tensor:
        """The vector of each candidate: [C, T] morphs, padded with -1 -> [C, d]."""
        used, local = torch.unique(sequences.clamp(min=0), return_inverse=True)
        local = local.masked_fill(sequences < 0, -1)
        embeddings = dropout(self.table(used), self.dropout, self.training)  # [m, e]
        real = local >= 0  # [C, T]
        lengths = real.sum(1)
        if self.encoder == "bag":
            morphs = embeddings[local.clamp(min=0)] * real[:, :, None]  # [C, T, e]
            states = morphs.sum(1) / lengths.clamp(min=1)[:, None]
        else:
            ahead, nodes = self.ahead(embeddings, local)
            back, reversed_nodes = self.back(embeddings, reverse(local))
            if self.encoder == "attentive":
                states = self._attentive(ahead[nodes], back[reverse(reversed_nodes)], real)
            else:
                last = (lengths - 1)[:, None]
                ends = ahead[nodes.gather(1, last)[:, 0]], back[reversed_nodes.gather(1, last)[:, 0]]
                states = torch.cat(ends, dim=1)  # [C, 2u]
        return self.projection(dropout(states, self.dropout, self.training))

    def _attentive(self, ahead: Tensor, back: Tensor, real: Tensor) -> Tensor:
        """States of both directions at each morph, [C, T, u] each -> their mixture [C, 2u]."""
        states = torch.cat([ahead, back], dim=2)  # [C, T, 2u]
        logits = self.inner(states).masked_fill(~real, -torch.inf)
        return (logits.softmax(1)[:, :, None] * states).sum(1)


class Attention(nn.Module):
    """Attention logits qᵀ tanh(W v), without biases: [..., d] -> [...]. Source: Üstün et al. 2018, eq. 3."""

    def __init__(self, dimensions: int):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(dimensions, dimensions))
        self.query = nn.Parameter(torch.empty(1, dimensions))
        nn.init.xavier_uniform_(self.weight)
        nn.init.xavier_uniform_(self.query)

    def forward(self, vectors: Tensor) -> Tensor:
        return linear(linear(vectors, self.weight).tanh(), self.query)[..., 0]
