"""Where each state of a batch is read and written, when the operations are known before the first step.

All states of a batch lie in one tensor, block after block:

    start: B states, then what is on the stacks        block 0                block 1         ...
                                                       B states, its pushes   B states, its pushes

Inside a block the rows are sorted by their operation, so that every cell works on a slice: stay | merge | recur |
split, and after these the pushed states of `split`. A step first gathers what it reads:

    stay | merge | recur | split | split again, for what is pushed | popped

Notation: B rows, K steps, D vectors that a stack can hold. Everything here is numbers of rows; no gradient passes.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from repline.errors import InputError

SPLIT, MERGE, RECUR, STAY = range(4)
OPERATIONS = ("split", "merge", "recur")  # what a policy chooses among; a row that stays has ended or waits
CELLS = ("down", "split", "recur", "merge")  # F1, F2, F3, F4
_RANK = np.array([3, 1, 2, 0], dtype=np.int8)  # of each operation in a block


@dataclass(frozen=True)
class Step:
    """One step: rows of each operation, and where its blocks begin."""

    stay: int
    merge: int
    recur: int
    split: int
    base: int  # in all states
    gathered: int  # in all that is read
    gates: int  # in all evaluations of cells
    merges: int  # in all merges


@dataclass(frozen=True)
class Schedule:
    """What `repline.systems.rrnet.recurrence` follows.

    Attributes:
        steps: K.
        rows: of all states.
        start: of them before the first step: B and those on the stacks.
        gather: [G] which state each step reads, in the order of the module's first lines.
        back: [K, B] where the step reads the states before it, in their own order.
        reads: [R] which input each evaluation of a cell reads, in the order of the evaluations.
        cells: 4 x ([r] evaluations of that cell, [r] where they read in G).
        kinds: [R] the cell of each evaluation.
        after: [B, K] the state of a row after a step.
        stacks: [B, D] what is on the stacks at the end, -1 where nothing is; sizes: [B].
        depths: [B, K] vectors on the stack after a step, of NumPy.
    """

    steps: tuple[Step, ...]
    rows: int
    start: int
    gather: Tensor
    back: Tensor
    reads: Tensor
    kinds: Tensor
    cells: tuple[tuple[Tensor, Tensor], ...]
    after: Tensor
    stacks: Tensor
    sizes: Tensor
    depths: np.ndarray


def schedule(
    operations: Tensor, inputs: Tensor, *, depth: int | None = None, sizes: Tensor | None = None, held: int = 0
) -> Schedule:
    """Plan the operations of a batch: which rows each step splits, merges and recurs, and where their states lie.

    Args:
        operations: [B, K] of SPLIT, MERGE, RECUR, STAY.
        inputs: [B, K], which input vector each step reads.
        depth: the most vectors a stack may hold; None for no limit.
        sizes: [B], vectors on the stacks at the start; None for none.
        held: D of the stacks at the start, whose states follow the B first ones, row after row.

    Raises:
        InputError: a merge with an empty stack or a split beyond the depth, naming row and step.
    """
    device = operations.device
    ops, reads = operations.cpu().numpy().T, inputs.cpu().numpy().T  # [K, B]
    count, batch = ops.shape
    first = np.zeros(batch, dtype=np.int64) if sizes is None else sizes.cpu().numpy()
    depths = first + np.cumsum((ops == SPLIT).astype(np.int64) - (ops == MERGE), axis=0)  # [K, B]
    _check(depths, depth)

    order = _RANK[ops].argsort(axis=1, kind="stable")  # [K, B] row at each position
    position = np.empty_like(order)  # [K, B] position of each row
    np.put_along_axis(position, order, np.broadcast_to(np.arange(batch), order.shape), axis=1)
    sorted_ops = np.take_along_axis(ops, order, axis=1)
    stay, merge, recur, split = ((ops == kind).sum(axis=1) for kind in (STAY, MERGE, RECUR, SPLIT))
    start = batch + batch * held
    base = start + _before(batch + split)  # [K]
    gathered, gates, merges = _before(batch + split + merge), _before(batch - stay + split), _before(merge)

    # [K + 1, B] before each step, and at the end
    states = np.concatenate([np.arange(batch)[None], base[:, None] + position])
    pushed = base[:, None] + split[:, None] + position  # [K, B], where the operation is a split
    popped, stacks = _matches(ops, depths, first, pushed, batch, held)

    read_at = gathered[:, None] + np.arange(batch)  # [K, B] where each position is read
    before = np.take_along_axis(states[:-1], order, axis=1)
    gather = np.empty(int((batch + split + merge).sum()), dtype=np.int64)
    gather[read_at] = before
    is_split, is_merge, works = sorted_ops == SPLIT, sorted_ops == MERGE, sorted_ops != STAY
    again = (read_at + split[:, None])[is_split]  # the last `split` positions of a block, once more behind it
    gather[again] = before[is_split]
    gather[(read_at + (batch + split - stay)[:, None])[is_merge]] = np.take_along_axis(popped, order, axis=1)[is_merge]

    evaluated = gates[:, None] + np.arange(batch) - stay[:, None]  # [K, B] where each position is evaluated
    evaluated_again = (evaluated + split[:, None])[is_split]
    read = np.empty(int((batch - stay + split).sum()), dtype=np.int64)
    ordered_reads = np.take_along_axis(reads, order, axis=1)
    read[evaluated[works]] = ordered_reads[works]
    read[evaluated_again] = ordered_reads[is_split]
    cells = [(evaluated_again, again)]
    cells += [(evaluated[sorted_ops == kind], read_at[sorted_ops == kind]) for kind in (SPLIT, RECUR, MERGE)]

    kinds = np.empty_like(read)
    for cell, (rows, _) in enumerate(cells):
        kinds[rows] = cell

    previous = np.concatenate([np.arange(batch)[None], order[:-1]])  # the row at each position of the block before
    back = np.take_along_axis(position, previous, axis=1)
    by_step = (stay, merge, recur, split, base, gathered, gates, merges)
    columns = zip(*(column.tolist() for column in by_step), strict=True)

    def on_device(numbers: np.ndarray) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(numbers)).to(device)

    return Schedule(
        steps=tuple(Step(*column) for column in columns),
        rows=start + int((batch + split).sum()),
        start=start,
        gather=on_device(gather),
        back=on_device(back),
        reads=on_device(read),
        kinds=on_device(kinds),
        cells=tuple((on_device(rows), on_device(sources)) for rows, sources in cells),
        after=on_device(states[1:].T),
        stacks=on_device(stacks),
        sizes=on_device(depths[-1] if count else first),
        depths=depths.T,
    )


def _matches(
    ops: np.ndarray, depths: np.ndarray, first: np.ndarray, pushed: np.ndarray, batch: int, held: int
) -> tuple[np.ndarray, np.ndarray]:
    """[K, B] the state that each merge pops, and [B, D] what is on the stacks at the end (-1: nothing).

    On one level of one row's stack pushes and pops take turns. So in a list sorted by row and level, in the order of
    time, every pop follows its push, and the pushes that no pop follows are those left.
    """
    levels = np.where(ops == SPLIT, depths, depths + 1)  # of the vector that moves
    step, row = np.nonzero((ops == SPLIT) | (ops == MERGE))
    old_row, old_level = np.nonzero(np.arange(held) < first[:, None])
    row = np.concatenate([old_row, row])
    level = np.concatenate([old_level + 1, levels[step, row[len(old_row) :]]])
    moved = np.concatenate([batch + old_row * held + old_level, pushed[step, row[len(old_row) :]]])
    is_pop = np.concatenate([np.zeros(len(old_row), dtype=bool), ops[step, row[len(old_row) :]] == MERGE])

    levels_per_row = int(max(level.max(initial=0), held)) + 1
    line = (row * levels_per_row + level).argsort(kind="stable")
    pops = np.flatnonzero(is_pop[line])
    popped = np.full(ops.shape, -1, dtype=np.int64)
    where = line[pops] - len(old_row)
    popped[step[where], row[line[pops]]] = moved[line[pops - 1]]
    left = ~is_pop[line]
    left[pops - 1] = False
    left = line[left]
    stacks = np.full((len(first), int(max(level[left].max(initial=0), 0))), -1, dtype=np.int64)
    stacks[row[left], level[left] - 1] = moved[left]
    return popped, stacks


def _check(depths: np.ndarray, depth: int | None) -> None:
    wrong = depths < 0
    if depth is not None:
        wrong |= depths > depth
    if wrong.any():
        step, row = (int(axis[0]) for axis in np.nonzero(wrong))
        if depths[step, row] < 0:
            raise InputError(
                f"row {row}: the operation at step {step} merges with an empty stack; brackets must be balanced"
            )
        raise InputError(f"row {row}: the operation at step {step} splits beyond the depth of {depth}")


def _before(counts: np.ndarray) -> np.ndarray:
    return np.cumsum(counts) - counts
