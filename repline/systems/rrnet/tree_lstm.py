"""The binary TreeLSTM over bracketed sequences, all trees of a batch together, level by level.

    i, f_l, f_r, o = sigma(W x + U [h_l; h_r] + b),   g = tanh(...)
    c = i g + f_l c_l + f_r c_r,   h = o tanh(c)

A leaf is a word: x is its vector, and it has no children. A node is a pair of brackets around two parts: it has
children and no word. So a level costs one product, whatever the number of trees.

Notation: B sequences, T symbols, N nodes of a batch, e the size of a vector, d units.

Source: Tai, Socher & Manning 2015, equations 9 to 14 with N = 2.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from repline.errors import InputError


@dataclass(frozen=True)
class Trees:
    """The nodes of a batch of binary trees, leaves first, then level by level.

    Attributes:
        words: int64 [leaves], the symbol of each leaf.
        levels: for each level from 1 up, ([n] left, [n] right) children, as numbers of nodes.
        roots: int64 [B].
    """

    words: Tensor
    levels: list[tuple[Tensor, Tensor]]
    roots: Tensor


def trees(ids: Tensor, lengths: Tensor, opening: int, closing: int) -> Trees:
    """Read brackets around two parts each, as `( X ( and Y ) )`.

    Args:
        ids: int64 [B, T].
        lengths: int64 [B].
        opening, closing: the symbols of the brackets.

    Raises:
        InputError: a sequence that is not one part, or a pair of brackets around another number of parts than two.
    """
    symbols, ends = ids.cpu().numpy(), lengths.cpu().numpy()
    count, width = symbols.shape
    row = np.arange(count)
    # a node has the number of the position where it ends: its own position, or that of its closing bracket
    stack, size = np.zeros((count, width + 2), dtype=np.int64), np.zeros(count, dtype=np.int64)
    heights = np.zeros((count, width), dtype=np.int64)
    left, right = np.zeros((count, width), dtype=np.int64), np.zeros((count, width), dtype=np.int64)
    mark = width  # an open bracket on the stack
    broken = np.zeros(count, dtype=bool)
    for position in range(width):
        alive = position < ends
        column = symbols[:, position]
        opens, closes = alive & (column == opening), alive & (column == closing)
        second, first = (stack[row, np.maximum(size - back, 0)] for back in (1, 2))
        bracket = stack[row, np.maximum(size - 3, 0)]
        broken |= closes & ((size < 3) | (first == mark) | (second == mark) | (bracket != mark))
        left[closes, position], right[closes, position] = first[closes], second[closes]
        inner = np.minimum(first, width - 1), np.minimum(second, width - 1)
        height = np.maximum(heights[row, inner[0]], heights[row, inner[1]]) + 1
        heights[:, position] = np.where(closes, height, 0)
        size = np.where(closes, np.maximum(size - 3, 0), size)
        stack[row, size] = np.where(alive, np.where(opens, mark, position), stack[row, size])
        size = size + alive
    broken |= (size != 1) | (stack[:, 0] == mark)
    if broken.any():
        raise InputError(
            f"row {int(broken.argmax())}: expected brackets around two parts each, found others or unbalanced ones"
        )
    inside = np.arange(width) < ends[:, None]
    is_leaf = inside & (symbols != opening) & (symbols != closing)
    key = np.where(is_leaf, 0, np.where(inside & (symbols == closing), heights, -1))
    numbers, total = np.full((count, width), -1, dtype=np.int64), 0
    levels: list[tuple[Tensor, Tensor]] = []
    for level in range(int(key.max(initial=0)) + 1):
        members = key == level
        if level:
            rows, positions = np.nonzero(members)
            left_child, right_child = (
                torch.from_numpy(numbers[rows, side[rows, positions]]).to(ids.device) for side in (left, right)
            )
            levels.append((left_child, right_child))
        numbers[members] = total + np.arange(members.sum())
        total += int(members.sum())
    roots = torch.from_numpy(numbers[row, stack[:, 0]]).to(ids.device)
    return Trees(ids[torch.from_numpy(is_leaf).to(ids.device)], levels, roots)


class TreeLSTM(nn.Module):
    """The TreeLSTM: the state of a node from those of its children.

    Args:
        inputs: e.
        units: d.
    """

    def __init__(self, inputs: int, units: int):
        super().__init__()
        self.units = units
        self.leaf = nn.Linear(inputs, 3 * units)  # i, o, g: there is no child whose memory could be forgotten
        self.node = nn.Linear(2 * units, 5 * units)  # i, f_l, f_r, o, g

    def forward(self, vectors: Tensor, batch: Trees) -> tuple[Tensor, Tensor]:
        """The states of the roots.

        Args:
            vectors: [V, e], of all symbols.
            batch: of `trees`.

        Returns:
            h [B, d] and c [B, d].
        """
        i, o, g = self.leaf(vectors).index_select(0, batch.words).chunk(3, 1)
        memory = i.sigmoid() * g.tanh()
        states = torch.cat([o.sigmoid() * memory.tanh(), memory], 1)  # [leaves, 2d]
        for left, right in batch.levels:
            below = torch.cat([states.index_select(0, left), states.index_select(0, right)], 1)  # h_l c_l h_r c_r
            h_l, c_l, h_r, c_r = below.chunk(4, 1)
            i, f_l, f_r, o, g = self.node(torch.cat([h_l, h_r], 1)).chunk(5, 1)
            memory = i.sigmoid() * g.tanh() + f_l.sigmoid() * c_l + f_r.sigmoid() * c_r
            states = torch.cat([states, torch.cat([o.sigmoid() * memory.tanh(), memory], 1)])
        hidden, memory = states.index_select(0, batch.roots).chunk(2, 1)
        return hidden, memory
