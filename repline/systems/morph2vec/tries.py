"""Tries of morph sequences: the states of a shared prefix are computed once.

Notation: C sequences of at most T morphs, padded with -1; M morphs.
"""

from typing import NamedTuple

import torch
from torch import Tensor


class Level(NamedTuple):
    """The nodes of one depth: different sequences of this many morphs."""

    morphs: Tensor  # [n] the last morph of each
    parents: Tensor  # [n] the node of the level before, 0 in the first level


def prefix_trie(sequences: Tensor, size: int) -> tuple[list[Level], Tensor]:
    """The trie of some sequences.

    Args:
        sequences: [C, T] morphs, padded with -1 on the right; none is empty.
        size: M.

    Returns:
        the levels, and the node of every prefix of every sequence, [C, T], counted through all levels; -1 in padding.
    """
    nodes = torch.full_like(sequences, -1)
    parents = sequences.new_zeros(len(sequences))
    levels: list[Level] = []
    before = 0
    for depth in range(sequences.shape[1]):
        alive = (sequences[:, depth] >= 0).nonzero()[:, 0]
        if not len(alive):
            break
        keys = parents[alive] * size + sequences[alive, depth]
        unique, positions = torch.unique(keys, return_inverse=True)
        levels.append(Level(unique % size, unique // size))
        nodes[alive, depth] = positions + before
        parents[alive] = positions
        before += len(unique)
    return levels, nodes


def reverse(sequences: Tensor) -> Tensor:
    """Each sequence from its end to its beginning, padded on the right: [C, T]."""
    lengths = (sequences >= 0).sum(1, keepdim=True)
    positions = lengths - 1 - torch.arange(sequences.shape[1], device=sequences.device)  # [C, T]
    return sequences.gather(1, positions.clamp(min=0)).masked_fill(positions < 0, -1)
