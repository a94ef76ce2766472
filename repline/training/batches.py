"""Batches over tensors in memory, in an order that depends on the seed and the epoch alone.

So a run that stops after some epoch and goes on later sees the batches that an undisturbed run would have seen, and
several processes (DDP) each take their share of the same global batches.
"""

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Sampler


class Indexed(Protocol):
    """Rows that are selected by number: a tensor, or what makes its rows when they are asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, rows: Any, /) -> Tensor: ...


def batches(
    tensors: Sequence[Indexed],
    size: int,
    *,
    seed: int = 0,
    lengths: Tensor | None = None,
    padded: Collection[int] = (),
    shuffle: bool = True,
) -> DataLoader:
    """A data loader of tuples of rows of `tensors`.

    Args:
        tensors: each [N, ...]; a batch is the tuple of `tensor[rows]`.
        size: rows in a batch, over all processes together; the last batch may be smaller, see `batch_count`.
        seed: with the epoch, it fixes the order.
        lengths: [N]; rows of similar length share a batch.
        padded: the positions in `tensors` of those that are [N, T, ...] with padding behind the length of each row;
            these alone are cut along T to the longest row of a batch.
        shuffle: False keeps the given order (evaluation).

    Raises:
        ValueError: no rows, or tensors that do not agree on how many.
    """
    rows = {len(tensor) for tensor in tensors}
    if len(rows) != 1 or 0 in rows:
        raise ValueError(f"batches need tensors of one non-zero length, found lengths {sorted(rows)}")
    order = RowOrder(rows.pop(), size, seed, lengths, shuffle)
    # a generator of its own, so that starting an iteration does not move the global one, from which dropout draws
    return DataLoader(_Rows(tensors, lengths, padded), batch_size=None, sampler=order, generator=torch.Generator())


class _Rows(Dataset):
    def __init__(self, tensors: Sequence[Indexed], lengths: Tensor | None, padded: Collection[int]):
        self.tensors, self.lengths, self.padded = tensors, lengths, padded

    def __getitem__(self, rows: Tensor) -> tuple[Tensor, ...]:
        batch = tuple(tensor[rows] for tensor in self.tensors)
        if self.lengths is None:
            return batch
        longest = int(self.lengths[rows].max())
        return tuple(tensor[:, :longest] if number in self.padded else tensor for number, tensor in enumerate(batch))


class RowOrder(Sampler):
    """Row numbers of each batch, [B] at a time, with the arguments of `batches`.

    Lightning calls `set_epoch` at the start of every epoch. Each of several processes gets its share of every batch.
    """

    def __init__(self, rows: int, size: int, seed: int, lengths: Tensor | None, shuffle: bool):
        self.rows, self.size, self.seed, self.lengths, self.shuffle = rows, size, seed, lengths, shuffle
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def __len__(self) -> int:
        return batch_count(self.rows, self.size)

    def __iter__(self) -> Iterator[Tensor]:
        rank, world = process()
        order, numbers = torch.arange(self.rows), torch.arange(len(self))
        if self.shuffle:
            generator = torch.Generator().manual_seed(self.seed * 1_000_003 + self.epoch)
            order = torch.randperm(self.rows, generator=generator)
            if self.lengths is not None:  # a stable sort keeps rows of equal length shuffled
                order = order[self.lengths[order].argsort(stable=True)]
                numbers = torch.randperm(len(self), generator=generator)
        elif self.lengths is not None:
            order = self.lengths.argsort(stable=True)
        for number in numbers.tolist():
            yield order[batch_rows(number, self.rows, self.size)][rank::world]


def batch_count(rows: int, size: int) -> int:
    """How many batches of `size` so many rows make.

    A last batch with fewer rows than there are processes joins the one before, since each process needs a share of
    every batch; without any before, there is no batch.
    """
    whole, rest = divmod(rows, size)
    return whole + (rest >= process()[1])


def batch_rows(number: int, rows: int, size: int) -> slice:
    """The rows of the batch with this number, from 0."""
    end = rows if number == batch_count(rows, size) - 1 else (number + 1) * size
    return slice(number * size, end)


class Rest:
    """The batches of a loader of ours; the first epoch leaves out its first `batches_done`, unread.

    Args:
        batches_done: how many batches of the first epoch to leave out.
    """

    def __init__(self, loader: DataLoader, batches_done: int):
        self.loader, self.batches_done, self.sampler = (
            loader,
            batches_done,
            loader.sampler,
        )  # whose epoch Lightning sets

    def __len__(self) -> int:
        return len(self.loader)

    def __iter__(self) -> Iterator[Sequence[Tensor]]:
        batches_done, self.batches_done = self.batches_done, 0
        if not batches_done:
            yield from self.loader
            return
        left = list(itertools.islice(self.sampler, batches_done, None))
        dataset, collate = self.loader.dataset, self.loader.collate_fn
        yield from DataLoader(dataset, batch_size=None, sampler=left, collate_fn=collate, generator=torch.Generator())


def process() -> tuple[int, int]:
    """Which process this is, and how many train together."""
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size()
    return 0, 1
