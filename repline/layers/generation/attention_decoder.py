"""A recurrent decoder with global attention and input feeding.

    e_t = [embedding of y_t-1; h̃_t-1],    h_t = LSTM(e_t),    a_t = softmax_s(h_t W h̄_s)
    h̃_t = tanh(W_c [Σ_s a_t(s) h̄_s; h_t]),    p(y_t) = softmax(W_o h̃_t)

Source: Luong, Pham & Manning 2015, "Effective Approaches to Attention-based Neural Machine Translation", sections 3.1
(general score) and 3.3 (input feeding).
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Memory(NamedTuple):
    """What the decoder attends to: outputs of an encoder [B, S, m], and a mask, true where there is one [B, S]."""

    states: Tensor
    mask: Tensor

    def rows(self, indices: Tensor) -> "Memory":
        """The memory of some sequences of the batch; `indices` are their row numbers [B']."""
        return Memory(self.states[indices], self.mask[indices])


class DecoderState(NamedTuple):
    """The state of every sequence: h and c of each layer [B, d_l], and h̃ [B, d]."""

    hidden: tuple[Tensor, ...]
    cell: tuple[Tensor, ...]
    attended: Tensor

    def rows(self, indices: Tensor) -> "DecoderState":
        """The states of some sequences of the batch; `indices` are their row numbers [B']."""
        return DecoderState(
            tuple(h[indices] for h in self.hidden), tuple(c[indices] for c in self.cell), self.attended[indices]
        )


class AttentionDecoder(nn.Module):
    """Symbols to scores of the symbols that follow.

    Args:
        symbols: V.
        embedding: size of their vectors.
        memory: m, size of the encoder's outputs.
        units: sizes d_l of the layers; h̃ has the size of the last one.
        dropout: rate on the input of each layer and on h̃.
    """

    def __init__(self, symbols: int, embedding: int, memory: int, units: Sequence[int], dropout: float = 0.0):
        super().__init__()
        last = units[-1]
        self.embedding = nn.Embedding(symbols, embedding)
        sizes = [embedding + last, *units[:-1]]
        self.cells = nn.ModuleList(nn.LSTMCell(size, width) for size, width in zip(sizes, units, strict=True))
        self.first = nn.ModuleList(nn.Linear(memory, width) for width in units)  # from the encoder's last output
        self.score = nn.Linear(memory, last, bias=False)  # W
        self.combine = nn.Linear(memory + last, last, bias=False)  # W_c
        self.output = nn.Linear(last, symbols)
        self.dropout = nn.Dropout(dropout)

    def begin(self, last: Tensor) -> DecoderState:
        """The state before the first symbol, from the last output of the encoder [B, m]."""
        hidden = tuple(torch.tanh(layer(last)) for layer in self.first)
        return DecoderState(hidden, tuple(torch.zeros_like(h) for h in hidden), torch.zeros_like(hidden[-1]))

    def keys(self, memory: Memory) -> Tensor:
        """W h̄_s of all positions [B, S, d], which no step changes."""
        return self.score(memory.states)

    def step(self, symbols: Tensor, state: DecoderState, memory: Memory, keys: Tensor) -> tuple[DecoderState, Tensor]:
        """Read one symbol of each sequence [B]; the new state, and the attention [B, S]."""
        below = torch.cat([self.embedding(symbols), state.attended], -1)
        hidden, cell = [], []
        for layer, h, c in zip(self.cells, state.hidden, state.cell, strict=True):
            h, c = layer(self.dropout(below), (h, c))
            hidden.append(h)
            cell.append(c)
            below = h
        scores = torch.einsum("bd,bsd->bs", below, keys).masked_fill(~memory.mask, float("-inf"))
        attention = scores.softmax(-1)
        context = torch.einsum("bs,bsm->bm", attention, memory.states)
        attended = torch.tanh(self.combine(torch.cat([context, below], -1)))
        return DecoderState(tuple(hidden), tuple(cell), attended), attention

    def log_probabilities(self, state: DecoderState) -> Tensor:
        """Log-probabilities of the next symbol: [B, V]."""
        return self.output(self.dropout(state.attended)).log_softmax(-1)

    def forward(self, symbols: Tensor, last: Tensor, memory: Memory) -> Tensor:
        """Scores (logits) of what follows each given symbol: [B, T], [B, m] -> [B, T, V]."""
        state, keys = self.begin(last), self.keys(memory)
        attended = []
        for column in symbols.unbind(1):
            state, _ = self.step(column, state, memory, keys)
            attended.append(state.attended)
        return self.output(self.dropout(torch.stack(attended, 1)))
