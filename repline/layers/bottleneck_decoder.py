"""A recurrent decoder without attention: all that it knows of the source is one vector.

    s_j = LSTM([y_j-1; h], s_j-1),    s_0 = h,  c_0 = 0

Source: Cho et al. 2014, "Learning Phrase Representations using RNN Encoder-Decoder", section 2.2; Yu, Li & Oguz 2018,
section 3.1.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence


class BottleneckState(NamedTuple):
    """Of every sequence: the LSTM's s and c, and the source's vector h, each [B, m]."""

    hidden: Tensor
    cell: Tensor
    source: Tensor

    def rows(self, chosen: Tensor) -> "BottleneckState":
        """Of other sequences of the batch: [B'] row numbers."""
        return BottleneckState(self.hidden[chosen], self.cell[chosen], self.source[chosen])


class BottleneckDecoder(nn.Module):
    """Vectors of symbols and the vector of a source to states, from which what follows is told.

    Args:
        inputs: e, size of the symbols' vectors.
        source: m, size of the source's vector and of the states.
    """

    def __init__(self, inputs: int, source: int):
        super().__init__()
        self.recurrence = nn.LSTM(inputs + source, source, batch_first=True)

    def begin(self, source: Tensor) -> BottleneckState:
        """The state before the first symbol, of sources [B, m]."""
        return BottleneckState(source, torch.zeros_like(source), source)

    def step(self, symbols: Tensor, state: BottleneckState) -> BottleneckState:
        """Read one symbol of each sequence, [B, e]."""
        inputs = torch.cat([symbols, state.source], -1)[:, None]
        _, (hidden, cell) = self.recurrence(inputs, (state.hidden[None], state.cell[None]))
        return BottleneckState(hidden[0], cell[0], state.source)

    def forward(self, symbols: PackedSequence, source: Tensor) -> Tensor:
        """States behind all given symbols at once: packed [N, e] of B sequences, [B, m] -> [N, m], packed alike."""
        order = torch.arange(len(source), device=source.device)
        if symbols.sorted_indices is not None:
            order = symbols.sorted_indices
        sizes = symbols.batch_sizes.tolist()
        row = torch.cat([order[:size] for size in sizes])  # [N], whose symbol each one is
        inputs = symbols._replace(data=torch.cat([symbols.data, source[row]], -1))
        states, _ = self.recurrence(inputs, (source[None], torch.zeros_like(source)[None]))
        return states.data
