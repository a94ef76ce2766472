"""A stack of state vectors per row of a batch: no loop over the rows, gradients through push and pop.

    push(rows, s):   cells[b, sizes[b]] <- s[b],  sizes[b] <- sizes[b] + 1      for every b of `rows`
    pop(rows):       sizes[b] <- sizes[b] - 1,  returns cells[b, sizes[b]]      for every b of `rows`

`rows` is a bool mask [B], or the int64 numbers [k] of the rows that move (each at most once). With a mask the states
are [B, width] and rows that do not move are ignored or come back as zeros; with numbers they are [k, width].

    stack = StackedState(batch, depth, width, like=hidden)
    stack.push(opens, hidden)        # opens: bool [B]
    saved = stack.pop(closes)        # [B, width], zeros where closes is False

All stacks are one tensor that is written in place. The cost of a step, forward and backward, is that of the rows it
moves: the backward pass too updates one buffer of gradients in place, instead of copying all stacks at every step.

Notation: B rows, width the size of a saved vector, depth the most vectors that a row can hold.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import Function, once_differentiable


class StackedState:
    """A batch of B stacks of vectors, empty at first.

    On the CPU a push on a full stack and a pop of an empty one raise at once and change nothing. On a GPU asking would
    wait for the device at every step: there the move is left out of the cells and noted, and `check` raises; `detach`
    and `cells` call it.

    Args:
        batch: B.
        depth: the most vectors a row can hold.
        width: size of a vector.
        like: a tensor whose device and dtype the stacks take.

    Attributes:
        sizes: int64 [B], vectors on each stack; a new tensor after each move.
    """

    def __init__(self, batch: int, depth: int, width: int, *, like: Tensor):
        self.batch, self.depth, self.width = batch, depth, width
        # one slot more than the depth: rows that do not move read and write there
        self._cells = like.new_zeros(batch * (depth + 1), width, requires_grad=False)
        self._first = torch.arange(batch, device=like.device) * (depth + 1)  # [B]
        self.sizes = torch.zeros_like(self._first)
        self._fault = torch.zeros_like(self._first)  # 1: pushed when full, -1: popped when empty

    @classmethod
    def of(cls, cells: Tensor, sizes: Tensor) -> "StackedState":
        """Stacks with the content of others, by their attributes: cells [B, depth, width] and sizes [B]."""
        stack = cls(*cells.shape, like=cells)
        stack._cells = torch.nn.functional.pad(cells, (0, 0, 0, 1)).flatten(0, 1).clone()  # not a view
        stack.sizes = sizes
        return stack

    @property
    def cells(self) -> Tensor:
        """[B, depth, width]: row b holds its vectors at 0..sizes[b] - 1, the oldest first; what is above is stale."""
        self.check()
        return self._cells.unflatten(0, (self.batch, self.depth + 1))[:, : self.depth]

    @property
    def empty(self) -> Tensor:
        """Which stacks hold nothing, bool [B]."""
        return self.sizes == 0

    @property
    def full(self) -> Tensor:
        """Which stacks hold as many vectors as they can, bool [B]."""
        return self.sizes == self.depth

    def push(self, rows: Tensor, state: Tensor) -> None:
        """Put a vector on the stacks of `rows`.

        Args:
            rows: bool [B], or int64 [k].
            state: [B, width], or [k, width].

        Raises:
            IndexError: a stack of `rows` is full; the message names the row.
        """
        sizes, slots = self._moved(rows, +1)
        self._cells = _Write.apply(self._cells, slots, _mask(rows), state.to(self._cells.dtype))
        self.sizes = sizes

    def pop(self, rows: Tensor) -> Tensor:
        """Take the top vectors of `rows` off their stacks.

        Args:
            rows: bool [B], or int64 [k].

        Returns:
            [B, width] with zeros where `rows` is False, or [k, width].

        Raises:
            IndexError: a stack of `rows` is empty; the message names the row.
        """
        sizes, slots = self._moved(rows, -1)
        state, self._cells = _Read.apply(self._cells, slots, _mask(rows))
        self.sizes = sizes
        return state

    def top(self) -> Tensor:
        """The top vector of every row, [B, width]; zeros where the stack is empty. Nothing moves."""
        filled = self.sizes > 0
        slots = self._first + torch.where(filled, self.sizes - 1, self.depth)
        state, self._cells = _Read.apply(self._cells, slots, filled)
        return state

    def check(self) -> None:
        """IndexError naming the first row whose stack was pushed when full or popped when empty; waits for a GPU."""
        if self._cells.device.type != "cpu" and bool(self._fault.any()):
            self._raise(self._fault)

    def detach(self) -> "StackedState":
        """A copy of the stacks, detached from the autograd graph: the start of the next truncated segment."""
        return StackedState.of(self.cells.detach(), self.sizes)

    def _moved(self, rows: Tensor, step: int) -> tuple[Tensor, Tensor]:
        """Sizes after the move, [B], and the slots that it writes or reads, [B] or [k]."""
        if rows.dtype == torch.bool:
            sizes = self.sizes + step * rows
            height = torch.where(rows, self.sizes if step > 0 else sizes, self.depth)
            first = self._first
        else:
            sizes = self.sizes.index_add(0, rows, torch.full_like(rows, step))
            height = (self.sizes if step > 0 else sizes)[rows]
            first = self._first[rows]
        fault = (sizes > self.depth).long() - (sizes < 0).long()
        if sizes.device.type == "cpu":
            if fault.any():
                self._raise(fault)
        else:
            self._fault = torch.where(self._fault == 0, fault, self._fault)
            height = torch.where((height < 0) | (height > self.depth), self.depth, height)
        return sizes, first + height

    def _raise(self, fault: Tensor) -> None:
        row = int(fault.nonzero()[0])
        if fault[row] > 0:
            raise IndexError(f"row {row}: a push on a stack that is full (depth {self.depth})")
        raise IndexError(f"row {row}: a pop of an empty stack")


torch.serialization.add_safe_globals([StackedState])  # a checkpoint inside an epoch may hold one


def _mask(rows: Tensor) -> Tensor | None:
    return rows if rows.dtype == torch.bool else None


class _Write(Function):
    """cells[slots] = state, in place. The gradient of the overwritten slots is zero, in place as well."""

    @staticmethod
    def forward(ctx: Any, cells: Tensor, slots: Tensor, mask: Tensor | None, state: Tensor) -> Tensor:
        ctx.mark_dirty(cells)
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(slots, mask)
        return cells.index_copy_(0, slots, state)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, cells: Tensor | None) -> tuple[Tensor | None, None, None, Tensor | None]:
        if cells is None:
            return None, None, None, None
        slots, mask = ctx.saved_tensors
        state = cells.index_select(0, slots)
        cells.index_fill_(0, slots, 0)
        return cells, None, None, state if mask is None else state * mask[:, None]


class _Read(Function):
    """cells[slots], and the cells themselves: they pass through, so that all gradients of them meet in one buffer."""

    @staticmethod
    def forward(ctx: Any, cells: Tensor, slots: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        ctx.mark_dirty(cells)
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(slots, mask)
        ctx.shape = cells.shape
        state = cells.index_select(0, slots)
        return state if mask is None else state * mask[:, None], cells

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, state: Tensor | None, cells: Tensor | None) -> tuple[Tensor | None, None, None]:
        if state is None:
            return cells, None, None
        slots, mask = ctx.saved_tensors
        if cells is None:
            cells = state.new_zeros(ctx.shape)
        cells.index_add_(0, slots, state if mask is None else state * mask[:, None])
        return cells, None, None
