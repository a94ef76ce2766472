"""What becomes of a saved LSTM state (h', c') and the present one (h, c) when a bracket closes.

    separate   h <- tanh(W2 act(W1 [h'; h])),   c <- V2 act(V1 [c'; c])      W1, V1: m x 2d,   W2, V2: d x m
    joint      [h; c] <- W2 act(W1 [h'; h; c'; c]),   h <- tanh h            W1: m x 4d,       W2: 2d x m
    hidden     h <- tanh(W2 act(W1 [h'; h])),   c <- c                       W1: 2m x 2d,      W2: d x 2m
    restore    h <- h',   c <- c'

The first three have 6md weights each and no biases: 2400 d for m = 400, by which the published parameter counts differ.

Notation: d units, m hidden units, k states.

Source: the readings of "a small feed-forward NN" in Paranjape, Reddy & Manning, Incorporating Structure into Language
Models, that its parameter counts leave.
"""

import math
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, linear

Merge = Literal["separate", "joint", "hidden", "restore"]
Start = Literal["mean", "small"]
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

    Raises:
        ValueError: too few hidden units to begin as the mean.
    """

    def __init__(
        self,
        merge: Merge,
        d: int,
        m: int,
        activation: Literal["tanh", "relu"] = "tanh",
        start: Start = "small",
        rate: float = 0.0,
    ):
        super().__init__()
        self.merge, self.activation, self.rate = merge, activation, rate
        sizes = {
            "separate": [(2 * d, m, d), (2 * d, m, d)],
            "joint": [(4 * d, m, 2 * d)],
            "hidden": [(2 * d, 2 * m, d)],
            "restore": [],
        }[merge]
        self.nets = nn.ModuleList(
            nn.ParameterList([torch.empty(hidden, inputs), torch.empty(outputs, hidden)])
            for inputs, hidden, outputs in sizes
        )
        for net in self.nets:
            for weight in net:
                nn.init.uniform_(weight, -1 / math.sqrt(weight.shape[1]), 1 / math.sqrt(weight.shape[1]))
            if start == "mean":
                self._begin_as_mean(*net, d)

    def forward(self, saved: tuple[Tensor, Tensor], now: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        """(h', c') and (h, c), each [k, d] -> the state to go on with, (h, c)."""
        if self.merge == "restore":
            return saved
        if self.merge == "joint":
            h, c = self._net(0, saved[0], now[0], saved[1], now[1]).chunk(2, -1)
            return torch.tanh(h), c
        h = torch.tanh(self._net(0, saved[0], now[0]))
        return h, now[1] if self.merge == "hidden" else self._net(1, saved[1], now[1])

    def _net(self, number: int, *parts: Tensor) -> Tensor:
        first, second = self.nets[number]
        hidden = linear(torch.cat(parts, -1), first)
        hidden = torch.tanh(hidden) if self.activation == "tanh" else torch.relu(hidden)
        return linear(dropout(hidden, self.rate, self.training and self.rate > 0), second)

    @torch.no_grad()
    def _begin_as_mean(self, first: Tensor, second: Tensor, d: int) -> None:
        outputs, hidden = second.shape
        needed = outputs if self.activation == "tanh" else 2 * outputs
        if hidden < needed:
            raise ValueError(f"a merge net that begins as the mean needs {needed} hidden units or more, found {hidden}")
        mean = torch.eye(d).repeat(1, 2) / 2  # [d, 2d]
        mean = torch.block_diag(*[mean] * (outputs // d))  # [outputs, inputs]
        if self.activation == "tanh":
            first[:needed], second[:, :needed] = mean * _SLOPE, torch.eye(outputs) / _SLOPE
        else:
            first[:needed] = torch.cat([mean, -mean])
            second[:, :needed] = torch.cat([torch.eye(outputs), -torch.eye(outputs)], 1)
        second[:, needed:] *= 0.1  # the other units begin quietly
