"""One vector of a sentence from the states of its words.

    mean:       h = (1/n) Σ_j m_j
    max:        h_i = max_j m_ji
    attention:  a = softmax_j(w_2 · tanh(W_1 m_j)),  h = Σ_j a_j m_j

Places behind the end of a sentence count for nothing.

Source: Conneau et al. 2017 (mean and maximum); Lin et al. 2017, "A Structured Self-attentive Sentence Embedding",
equations (5) and (6), with one hop.
"""

from typing import Literal

import torch
from torch import Tensor, nn

Pooling = Literal["mean", "max", "attention"]


def inside(lengths: Tensor, longest: int) -> Tensor:
    """Which positions hold a word: lengths [B] -> bool [B, longest]."""
    return torch.arange(longest, device=lengths.device) < lengths[:, None]


def mean(states: Tensor, mask: Tensor) -> Tensor:
    """The mean of states [B, T, d] over the positions of `mask`, bool [B, T]: [B, d], zeros where it has none."""
    return (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


def maximum(states: Tensor, mask: Tensor) -> Tensor:
    """The maximum of states [B, T, d] over the positions of `mask`, bool [B, T]: [B, d], zeros where it has none."""
    return states.masked_fill(~mask[..., None], -torch.inf).amax(1).where(mask.any(1, keepdim=True), 0.0)


class SentencePooling(nn.Module):
    """Pool states [B, T, d] over the positions of a mask, bool [B, T]: [B, d], zeros where it has none.

    Args:
        kind: mean, max or attention.
        size: d.
        hidden: rows of W_1; attention alone has weights.
    """

    def __init__(self, kind: Pooling, size: int, hidden: int = 128):
        super().__init__()
        self.kind = kind
        if kind == "attention":
            self.inner = nn.Linear(size, hidden, bias=False)  # W_1
            self.score = nn.Linear(hidden, 1, bias=False)  # w_2

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        if self.kind == "mean":
            return mean(states, mask)
        if self.kind == "max":
            return maximum(states, mask)
        there = mask[..., None]
        scores = self.score(self.inner(states).tanh()).masked_fill(~there, -1e9)  # [B, T, 1]
        return (scores.softmax(1) * there * states).sum(1)
