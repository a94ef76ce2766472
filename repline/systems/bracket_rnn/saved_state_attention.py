"""Attention over all states that are saved when a bracket closes, forward and backward.

    a = softmax over j of (Q h) . h'_j / sqrt(d),    (h', c') <- sum over j of a_j (h'_j, c'_j)

where (h'_j, c'_j) are the states saved at all brackets that are open, including the one that closes.

Notation: n closing brackets, D states saved at most, d units, state [h; c] of 2d numbers.

Source: Paranjape, Reddy & Manning, Incorporating Structure into Language Models, name it as ongoing work; the form is
that of Vaswani et al. 2017, equation 1.
"""

import math

import torch
from torch import Tensor


def attend(saved: Tensor, there: Tensor, h: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
    """The average of saved states, and the weights a.

    Args:
        saved: [n, D, 2d].
        there: bool [n, D], which of them exist; at least one in a row.
        h: [n, d].
        query: Q [d, d].

    Returns:
        [n, 2d] and [n, D].
    """
    d = len(query)
    scores = torch.bmm(saved[..., :d], (h @ query.mT)[:, :, None])[..., 0] / math.sqrt(d)
    weights = scores.masked_fill_(~there, -math.inf).softmax(1)
    return torch.bmm(weights[:, None], saved)[:, 0], weights


def attend_backward(
    d_average: Tensor, saved: Tensor, weights: Tensor, h: Tensor, query: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradient of the average [n, 2d] -> those of the saved states [n, D, 2d], of h [n, d] and of Q h [n, d].

    The gradient of Q is the product of the last one, transposed, and h.
    """
    d = len(query)
    d_weights = torch.bmm(saved, d_average[:, :, None])[..., 0]
    d_scores = weights * (d_weights - (weights * d_weights).sum(1, keepdim=True)) / math.sqrt(d)
    d_asked = torch.bmm(d_scores[:, None], saved[..., :d])[:, 0]
    d_saved = weights[..., None] * d_average[:, None]
    d_saved[..., :d] += d_scores[..., None] * (h @ query.mT)[:, None]
    return d_saved, d_asked @ query, d_asked
