"""Ways to merge a saved LSTM state (h', c') into the present one (h, c) when a bracket closes.

    separate   h <- tanh(W2 act(W1 [h'; h])),   c <- V2 act(V1 [c'; c])      W1, V1: m x 2d,   W2, V2: d x m
    joint      [h; c] <- W2 act(W1 [h'; c'; h; c]),   h <- tanh h            W1: m x 4d,       W2: 2d x m
    hidden     h <- tanh(W2 act(W1 [h'; h])),   c <- c                       W1: 2m x 2d,      W2: d x 2m
    restore    h <- h',   c <- c'
    keep       h <- h,    c <- c

With attention, (h', c') is the average of all states that are saved, see `saved_state_attention.py`.

The first three have 6md weights each and no biases: 2400 d for m = 400, by which the published parameter counts differ.

Notation: d units, m hidden units. The nets are run by `repline.systems.bracket_rnn.recurrence`.

Source: the readings of "a small feed-forward NN" in Paranjape, Reddy & Manning, Incorporating Structure into Language
Models, that its parameter counts leave.
"""

import math
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout

from repline.systems.bracket_rnn.settings import Activation, Merge, Start

_SLOPE = 0.5  # of act = tanh where a net begins as the mean: near enough to linear for the values of a state


class StateMerge(nn.Module):
    """One way to merge, with its nets.

    Args:
        merge: which.
        d: units of the layer.
        m: hidden units.
        activation: act.
        start: `mean`: before training, what comes out is the mean of the two states (of h its tanh), nearly, for which
            a net needs as many hidden units as it has outputs, twice as many with relu; `small`: all weights from
            U(-1/sqrt(n), 1/sqrt(n)) for n inputs.
        rate: dropout of the hidden units.
        attention: whether all saved states are averaged, which takes a matrix Q [d, d] more; it begins at 0, where all
            weigh the same.

    Raises:
        ValueError: too few hidden units to begin as the mean.
    """

    def __init__(
        self,
        merge: Merge | Literal["hidden"],
        d: int,
        m: int,
        activation: Activation = "tanh",
        start: Start = "small",
        rate: float = 0.0,
        attention: bool = False,
    ):
        super().__init__()
        self.merge, self.activation, self.rate = merge, activation, rate
        whole, half = (0, 2 * d), (0, d)
        # which columns of [h; c] a net reads, of both states, and writes
        self.columns = {"separate": [half, (d, 2 * d)], "joint": [whole], "hidden": [half]}.get(merge, [])
        hidden = 2 * m if merge == "hidden" else m
        self.nets = nn.ModuleList(
            nn.ParameterList([torch.empty(hidden, 2 * (end - begin)), torch.empty(end - begin, hidden)])
            for begin, end in self.columns
        )
        self.query = nn.Parameter(torch.zeros(d, d)) if attention else None
        for first, second in self.weights():
            for weight in (first, second):
                nn.init.uniform_(weight, -1 / math.sqrt(weight.shape[1]), 1 / math.sqrt(weight.shape[1]))
            if start == "mean":
                _begin_as_mean(first, second, activation)

    def masks(self, rows: int, like: Tensor) -> list[Tensor | None]:
        """Dropout masks [rows, hidden units], one a net; None outside of training."""
        if not self.training or not self.rate:
            return [None] * len(self.nets)
        return [dropout(like.new_ones(rows, len(first)), self.rate) for first, _ in self.weights()]

    def weights(self) -> list[tuple[Tensor, Tensor]]:
        """W1 and W2 of each net."""
        return [(first, second) for first, second in (net.parameters() for net in self.nets)]


@torch.no_grad()
def _begin_as_mean(first: Tensor, second: Tensor, activation: str) -> None:
    outputs, hidden = second.shape
    needed = outputs if activation == "tanh" else 2 * outputs
    if hidden < needed:
        raise ValueError(f"a merge net that begins as the mean needs {needed} hidden units or more, found {hidden}")
    mean, same = torch.eye(outputs).repeat(1, 2) / 2, torch.eye(outputs)
    if activation == "tanh":
        first[:needed], second[:, :needed] = mean * _SLOPE, same / _SLOPE
    else:
        first[:needed], second[:, :needed] = torch.cat([mean, -mean]), torch.cat([same, -same], 1)
    second[:, needed:] *= 0.1  # the other units begin quietly
