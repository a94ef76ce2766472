"""A recurrent decoder without attention: it sees the source as one vector.

    s_j = LSTM([y_j-1; h], s_j-1),    s_0 = h,  c_0 = 0

Source: Cho et al. 2014, "Learning Phrase Representations using RNN Encoder-Decoder", section 2.2; Yu, Li & Oguz 2018,
section 3.1.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from repline.layers.lstm_reader import read_sequences


class BottleneckState(NamedTuple):
    """The state of every sequence: the LSTM's s and c, and the source's vector h, each [B, m]."""

    hidden: Tensor
    cell: Tensor
    source: Tensor

    def rows(self, indices: Tensor) -> "BottleneckState":
        """The states of some sequences of the batch; `indices` are their row numbers [B']."""
        return BottleneckState(self.hidden[indices], self.cell[indices], self.source[indices])


class BottleneckDecoder(nn.Module):
    """Maps the vectors of symbols and of a source to states, from which the next symbols are predicted.

    Args:
        inputs: e, size of the symbols' vectors.
        source: m, size of the source's vector and of the states.
    """

    def __init__(self, inputs: int, source: int):
        super().__init__()
        self.recurrence = nn.LSTM(inputs + source, source, batch_first=True)

    def begin(self, source: Tensor) -> BottleneckState:
        """The state before the first symbol, from the vectors of the sources [B, m]."""
        return BottleneckState(source, torch.zeros_like(source), source)

    def step(self, symbols: Tensor, state: BottleneckState) -> BottleneckState:
        """Read one symbol of each sequence, [B, e]."""
        inputs = torch.cat([symbols, state.source], -1)[:, None]
        _, (hidden, cell) = self.recurrence(inputs, (state.hidden[None], state.cell[None]))
        return BottleneckState(hidden[0], cell[0], state.source)

    def forward(self, symbols: Tensor, lengths: Tensor, source: Tensor) -> Tensor:
        """States after all symbols, in one pass: [B, T, e], lengths [B], [B, m] -> [B, T, m], zero behind the ends."""
        inputs = torch.cat([symbols, source[:, None].expand(-1, symbols.shape[1], -1)], -1)
        return read_sequences(self.recurrence, inputs, lengths, (source, torch.zeros_like(source)))
