"""The network of convolutions, local maxima and a multiple-timescale GRU, and the networks that it is compared with.

    c^w_i = ReLU(W^w x_(i - (w-1)//2 .. i + w//2) + b^w)                 for each width w
    v_t   = [max of c^w_i over the q positions i of window t, for each w]
    r = σ(W_xr v_t + W_hr h + b_r),    z = σ(W_xz v_t + W_hz h + b_z)    the same in a fast and a slow group of units
    u = tanh(W_xu v_t + W_hu (r * h) + b_u)
    h <- (z * h + (1 - z) * u) / τ + (1 - 1/τ) h                         τ >= 1, one for each group, trained
    p(label) = softmax(W [h_fast; h_slow] + b)                           after the last window; dropout of v and h

The paper prints no biases, and its maximum is over a whole map, which leaves one step for the recurrence; the windows
are those of the program whose settings it shares (q = 4).

Notation: B texts of n words, d dimensions of a word vector, F filters of each width, T = ceil(n / q) pooled steps. x is
`embedding(ids)` [B, n, d], W^w, b^w `LocalConvolutions.filters`, q `pool`, v its output [B, T, widths F]; [h_fast;
h_slow] is `text(ids)` [B, units], τ `timescales`, W_x `kernel`, W_h `recurrent`; W, b are `output`.

The cell and its fused loop lie in `repline.systems.lmtgru.recurrence`, where `step_as_written` is one step; word
vectors and labels in `repline.layers.document_network`.

Source: Moirangthem & Lee 2018, section 3, equation 4 for the cell.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from repline.errors import InputError
from repline.layers.document_network import PADDING, DocumentNetwork, cut
from repline.layers.lstm_reader import last_outputs, read_sequences
from repline.systems.lmtgru.recurrence import MultipleTimescaleGRU
from repline.systems.lmtgru.settings import UNIFORM, Cell


class LocalConvolutions(nn.Module):
    """ReLU convolutions of several widths, and the maximum over every `pool` positions: x -> v.

    Positions outside the text are zero, so that every width gives n positions. The last window may be shorter.

    Args:
        dimensions: d.
        widths, filters: of the convolutions, F filters each.
        pool: q, positions of a window.
    """

    def __init__(self, dimensions: int, widths: Sequence[int], filters: int, pool: int):
        super().__init__()
        self.widths, self.pool = list(widths), pool
        self.filters = nn.ModuleList(nn.Linear(width * dimensions, filters) for width in widths)

    def forward(self, states: Tensor, there: Tensor) -> Tensor:
        """[B, n, d], zero where there is no word, and bool [B, n] -> [B, T, widths F]."""
        length, dimensions = states.shape[1:]
        before, after = max((width - 1) // 2 for width in self.widths), max(width // 2 for width in self.widths)
        padded = pad(states, (0, 0, before, after))
        windows = torch.cat([padded[:, start : start + length] for start in range(before + after + 1)], dim=2)
        maps_by_width = []
        for width, layer in zip(self.widths, self.filters, strict=True):
            start = (before - (width - 1) // 2) * dimensions
            maps_by_width.append(layer(windows[..., start : start + width * dimensions]))
        maps = torch.relu(torch.cat(maps_by_width, dim=2)) * there[..., None]  # [B, n, widths F]
        # after a ReLU nothing is below zero, so padding wins no maximum
        return pad(maps, (0, 0, 0, -length % self.pool)).unflatten(1, (-1, self.pool)).amax(dim=2)


class CNNLMTGRU(DocumentNetwork):
    """Word vectors, `LocalConvolutions`, dropout, a recurrence, dropout of its last state, softmax.

    Args:
        units: of the recurrence, all groups together.
        timescales: of its groups: [1, 1.25] for the LMTGRU; [1] for a plain GRU.
        timescale_rate: learning rate of the timescales; None keeps them as they are.
        convolution: false: the recurrence reads the word vectors.
        cell: gru; or lstm, which has no timescales.
        widths, filters, pool: of the convolutions.
        dropout: of the pooled features (or word vectors) and of the last state.
        shared: of `DocumentNetwork`.

    Raises:
        InputError: units that the groups cannot share evenly, or timescales of an lstm.

    Source: Moirangthem and Lee 2018, section 3.
    """

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        dimensions: int,
        sentences: int,
        length: int,
        *,
        units: int = 300,
        timescales: Sequence[float] = (1.0, 1.25),
        timescale_rate: float | None = 1e-5,
        convolution: bool = True,
        cell: Cell = "gru",
        widths: Sequence[int] = (3, 4, 5),
        filters: int = 128,
        pool: int = 4,
        dropout: float = 0.5,
        spread: float = UNIFORM,
    ):
        super().__init__(labels, words, dimensions, sentences, length, spread)
        if cell == "gru" and units % max(len(timescales), 1):
            raise InputError(
                f"lmtgru: {len(timescales)} groups cannot share {units} units evenly; take a multiple as units"
            )
        self.pool = pool if convolution else 1
        self.convolutions = LocalConvolutions(dimensions, widths, filters, pool) if convolution else None
        inputs = len(widths) * filters if convolution else dimensions
        self.dropout = nn.Dropout(dropout)
        self.recurrence: MultipleTimescaleGRU | nn.LSTM
        if cell == "gru":
            self.recurrence = MultipleTimescaleGRU(inputs, units // len(timescales), timescales, timescale_rate)
        else:
            self.recurrence = nn.LSTM(inputs, units, batch_first=True)
        self.output = nn.Linear(units, len(self.labels))

    def forward(self, ids: Tensor) -> Tensor:
        """[B, n] -> unnormalised log-probabilities (logits) [B, C]."""
        return self.output(self.dropout(self.text(cut(ids))))

    def text(self, ids: Tensor) -> Tensor:
        """[B, n] -> the last state of each text [B, units], groups one after the other."""
        there = ids != PADDING
        states = self.embedding(ids)
        if self.convolutions is not None:
            states = self.convolutions(states, there)  # [B, T, widths F]
        states = self.dropout(states)
        ends = -(-there.sum(dim=1).clamp(min=1) // self.pool)
        if isinstance(self.recurrence, MultipleTimescaleGRU):
            return self.recurrence(states, ends)
        return last_outputs(read_sequences(self.recurrence, states, ends), ends)
