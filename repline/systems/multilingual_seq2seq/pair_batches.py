"""Batches of sentence pairs of similar length; each batch is of one pair of languages, the pairs take turns."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Sampler

from repline.training.batches import batch_count, batch_rows, process


def pair_batches(
    pairs: Tensor, first: Tensor, second: Tensor, size: int, *, seed: int = 0, bucketed: bool = True
) -> DataLoader:
    """A data loader of (pair of languages [B], first [B, T], second [B, T']), cut to the longest of the batch.

    Args:
        pairs: int [N], the number of the pair of languages.
        first, second: words [N, ...], 0 behind the ends.
        size: B, over all processes together.
        seed: with the epoch, it fixes the order.
        bucketed: pairs of similar length share a batch.
    """
    order = PairOrder(pairs, (first != 0).sum(1) + (second != 0).sum(1), size, seed, bucketed)
    rows = _PairRows(pairs, first, second)
    return DataLoader(rows, batch_size=None, sampler=order, generator=torch.Generator())


class _PairRows(Dataset):
    def __init__(self, pairs: Tensor, first: Tensor, second: Tensor):
        self.pairs, self.first, self.second = pairs, first, second

    def __getitem__(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.pairs[rows], cut(self.first[rows]), cut(self.second[rows])


class PairOrder(Sampler):
    """Row numbers of each batch; the arguments are those of `pair_batches`. Lightning calls `set_epoch`."""

    def __init__(self, pairs: Tensor, lengths: Tensor, size: int, seed: int, bucketed: bool):
        self.pairs, self.lengths, self.size, self.seed, self.bucketed = pairs, lengths, size, seed, bucketed
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def __len__(self) -> int:
        return len(self._batches())

    def __iter__(self) -> Iterator[Tensor]:
        rank, world = process()
        for batch in self._batches():
            yield batch[rank::world]

    def _batches(self) -> list[Tensor]:
        generator = torch.Generator().manual_seed(self.seed * 1_000_003 + self.epoch)
        pair_order: list[list[Tensor]] = []
        for pair in self.pairs.unique().tolist():
            rows = (self.pairs == pair).nonzero()[:, 0]
            rows = rows[torch.randperm(len(rows), generator=generator)]
            if self.bucketed:
                rows = rows[self.lengths[rows].argsort(stable=True)]  # rows of equal length stay shuffled
            numbers = torch.randperm(batch_count(len(rows), self.size), generator=generator).tolist()
            pair_order.append([rows[batch_rows(number, len(rows), self.size)] for number in numbers])
        return in_turn(pair_order)


def in_turn(pair_batches: Sequence[Sequence[Tensor]]) -> list[Tensor]:
    """Interleave the batches of all pairs; pairs that have more go on alone."""
    turns = max(map(len, pair_batches), default=0)
    return [batches[turn] for turn in range(turns) for batches in pair_batches if turn < len(batches)]


def cut(ids: Tensor) -> Tensor:
    """Cut word numbers [B, T] to the longest row: int64 [B, T']."""
    return ids[:, : int((ids != 0).sum(1).max())].long()
