"""Attention from both sentences of a pair to the definition of a word.

Notation: O occurrences of words with a definition, m tokens of a definition, n features; s is the sentence that the
word stands in, s' the other sentence of the pair.

Source: Nishida et al. 2018, section 3 and equation 1.
"""

import math

import torch
from torch import Tensor


def definition_attention(states: Tensor, mask: Tensor, means: Tensor) -> Tensor:
    """Mean states of a definition, h^{y,s} and h^{y,s'}, weighted by their products with each sentence's mean state.

        A = C^{s T} C^y / sqrt(n),   a_j = mean_i A_ij = mean_i(c^s_i) . c^y_j / sqrt(n),   h = sum_j softmax_j(a) c^y_j

    The mean over the sentence is taken first: the same result for a factor of the sentence's length less work.

    Args:
        states: C^y of each occurrence [O, m, n].
        mask: True at the tokens of the definition [O, m].
        means: the mean state of each sentence over its tokens [O, S, n].

    Returns:
        [O, S, n].
    """
    scores = means @ states.mT / math.sqrt(states.shape[-1])  # [O, S, m]
    weights = scores.masked_fill(~mask[:, None], -torch.inf).softmax(2)
    return weights @ states


def combination(last: Tensor, own_state: Tensor, other_state: Tensor, weights: Tensor) -> Tensor:
    """The term z [O, n] of equation 1, which a definition adds to the state of its headword.

        7 weights:  z = [c, h, h - c, h * c, h', h' - c, h' * c] w
        5 weights:  z = [c, h, h * c, h', h' * c] w, which reaches the same: h - c is made of h and c
        1 weight:   z = w c, without attention

    Args:
        last: c_m [O, n]; own_state: h^{y,s} [O, n]; other_state: h^{y,s'} [O, n].
        weights: w [7], [5] or [1].
    """
    terms: tuple[Tensor, ...]
    match len(weights):
        case 7:
            terms = (
                last,
                own_state,
                own_state - last,
                own_state * last,
                other_state,
                other_state - last,
                other_state * last,
            )
        case 5:
            terms = (last, own_state, own_state * last, other_state, other_state * last)
        case _:
            terms = (last,)
    return sum((weight * term for weight, term in zip(weights, terms, strict=True)), torch.zeros_like(last))


def five_of_seven(weights: Tensor) -> Tensor:
    """The 5 weights that give the same z as these 7."""
    w1, w2, w3, w4, w5, w6, w7 = weights.unbind()
    return torch.stack([w1 - w3 - w6, w2 + w3, w4, w5 + w6, w7])
