"""A recurrent decoder that attends to what was read, and may copy from it.

    α_t = softmax_j(h_j · s_{t-1}),   c_t = Σ_j α_tj h_j,   s_t = LSTM([emb(y_{t-1}); c_t], s_{t-1})
    copying the symbol at position j:  ψ_c(j) = tanh(h_j^T W_c) · s_t

The query of the attention is the state before the step, as Bahdanau, Cho & Bengio 2015 do.

Source: Daza & Frank 2018, "A Sequence-to-Sequence Model for Semantic Role Labeling", section 3; Gu et al. 2016.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from repline.layers.generation.attention_recurrence import attention_recurrence
from repline.layers.linear import linear

NEVER = -1e30  # a score whose exponential is 0, without the not-a-numbers of an infinite one


class CopyMemory(NamedTuple):
    """What the decoder reads from: states h_j [B, T, d] and the copy keys tanh(h_j^T W_c) of all positions [B, T, d].

    Attributes:
        padding, uncopied: [B, T], 0 where a position may be attended to or copied, `NEVER` where not.
    """

    states: Tensor
    keys: Tensor
    padding: Tensor
    uncopied: Tensor

    def rows(self, indices: Tensor) -> "CopyMemory":
        """The memory of some sequences of the batch; `indices` are their row numbers [B']."""
        return CopyMemory(*(part[indices] for part in self))


class CopyState(NamedTuple):
    """The state of every sequence: s_t and the cell's memory, each [B, d], and the context c_t [B, d]."""

    hidden: Tensor
    cell: Tensor
    context: Tensor

    def rows(self, indices: Tensor) -> "CopyState":
        """The states of some sequences of the batch; `indices` are their row numbers [B']."""
        return CopyState(*(part[indices] for part in self))


class CopyingDecoder(nn.Module):
    """Maps embedded symbols to states; the caller generates symbols from a state.

    Args:
        embedding: size of the vectors of symbols.
        units: d, size of the states and of the encoder's states, whose products are the attention scores.
    """

    def __init__(self, embedding: int, units: int):
        super().__init__()
        self.cell = nn.LSTMCell(embedding + units, units)
        self.first = nn.Linear(units, units)  # from the encoder's last states
        self.copied = nn.Linear(units, units, bias=False)  # W_c

    def remember(self, states: Tensor, there: Tensor, copied: Tensor) -> CopyMemory:
        """Make the memory of a batch: the copy keys of all positions, computed once a sentence.

        Args:
            states: h_j [B, T, d].
            there: [B, T], true where a position is not padding.
            copied: [B, T], true where a position may be copied.
        """
        closed = [torch.zeros_like(mask, dtype=states.dtype).masked_fill(~mask, NEVER) for mask in (there, copied)]
        return CopyMemory(states, torch.tanh(self.copied(states)), *closed)

    def begin(self, last: Tensor) -> CopyState:
        """The state before the first symbol, from the last states of the encoder [B, d]."""
        hidden = torch.tanh(self.first(last))
        return CopyState(hidden, torch.zeros_like(hidden), torch.zeros_like(hidden))

    def attention(self, hidden: Tensor, memory: CopyMemory) -> Tensor:
        """α [B, T], which adds up to 1 and is 0 on padding."""
        scores = torch.baddbmm(memory.padding[..., None], memory.states, hidden[..., None])
        return scores[..., 0].softmax(-1)

    def step(self, embedded: Tensor, state: CopyState, memory: CopyMemory) -> CopyState:
        """Read one symbol of each sequence [B, e]."""
        context = torch.bmm(self.attention(state.hidden, memory)[:, None], memory.states)[:, 0]
        gates = torch.addmm(self._of_symbols(embedded), torch.cat([context, state.hidden], 1), self._of_states())
        let_in, keep, new, out = gates.chunk(4, 1)
        cell = keep.sigmoid() * state.cell + let_in.sigmoid() * new.tanh()
        return CopyState(out.sigmoid() * cell.tanh(), cell, context)

    def forward(self, embedded: Tensor, last: Tensor, memory: CopyMemory) -> tuple[Tensor, Tensor]:
        """All steps of known sequences: [B, Y, e], [B, d] -> states s_t and contexts c_t, each [B, Y, d]."""
        state = self.begin(last)
        inputs = self._of_symbols(embedded)
        padding, weight = memory.padding, self._of_states()
        return attention_recurrence(inputs, state.hidden, state.cell, memory.states, padding, weight)

    def copy_scores(self, hidden: Tensor, memory: CopyMemory) -> Tensor:
        """ψ_c of every position: [B, Y, d] -> [B, Y, T]."""
        return hidden @ memory.keys.mT + memory.uncopied[:, None]

    def _of_symbols(self, embedded: Tensor) -> Tensor:
        """The part of the gates that comes from symbols [..., 4d], for all steps in one product."""
        weight = self.cell.weight_ih[:, : embedded.shape[-1]]
        return linear(embedded, weight, self.cell.bias_ih + self.cell.bias_hh)

    def _of_states(self) -> Tensor:
        """Weights of [c; s] for the gates [2d, 4d]."""
        units = self.cell.hidden_size
        return torch.cat([self.cell.weight_ih[:, -units:], self.cell.weight_hh], 1).mT
