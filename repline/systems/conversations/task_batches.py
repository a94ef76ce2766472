"""Batches of two tasks in turn: messages with their replies, and at intervals one of pairs of inference.

The order depends on the seed and the epoch alone, as in `repline.training.batches`: a run that stops goes on with the
same batches, and several processes each take their share of a batch.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Sampler

from repline.systems.conversations.corpus import Sentences
from repline.training.batches import batch_count, batch_rows, process

REPLY, INFERENCE = 0, 1  # the tasks

Batch = tuple[Tensor, Tensor, Tensor, Tensor]  # task [1], tokens [t], lengths [2B], targets [B]


@dataclass(frozen=True)
class Conversations:
    """Pairs of a message and its reply.

    Attributes:
        turns: N packed turns.
        messages: rows of the turns that are messages [P]; the next turn is the reply.
        texts: a number for the text of each turn [N].
    """

    turns: Sentences
    messages: Tensor
    texts: Tensor

    def __len__(self) -> int:
        return len(self.messages)

    def batch(self, rows: Tensor) -> Batch:
        """B messages and then their replies; targets are numbers of the replies' texts."""
        messages = self.messages[rows]
        tokens, lengths = self.turns.batch(torch.cat([messages, messages + 1]))
        return torch.tensor([REPLY]), tokens, lengths, self.texts[messages + 1]


@dataclass(frozen=True)
class LabelledPairs:
    """Premises, hypotheses, and the label of each pair [P]."""

    first: Sentences
    second: Sentences
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def batch(self, rows: Tensor) -> Batch:
        """B premises and then their hypotheses; targets are the labels."""
        first, first_lengths = self.first.batch(rows)
        second, second_lengths = self.second.batch(rows)
        tokens = torch.cat([first, second])
        return torch.tensor([INFERENCE]), tokens, torch.cat([first_lengths, second_lengths]), self.labels[rows]


def task_batches(
    conversations: Conversations | None,
    pairs: LabelledPairs | None,
    *,
    size: int,
    pairs_size: int,
    every: int,
    seed: int = 0,
    same_order: bool = False,
) -> DataLoader:
    """A data loader of `Batch`; an epoch is one pass over the conversations, or over the pairs without conversations.

    Args:
        conversations, pairs: of the tasks; None for a task that is not trained.
        size, pairs_size: messages, and pairs of inference, in a batch over all processes; the last one of a pass may
            be smaller.
        every: after this many batches of conversations there is one of pairs; at the end of a shorter epoch.
        seed: with the epoch, it fixes the order.
        same_order: every epoch has the order of the first (evaluation: the replies of a batch are rivals, so its loss
            depends on which they are).

    Raises:
        ValueError: neither task.
    """
    if conversations is None and pairs is None:
        raise ValueError("expected conversations, pairs of inference, or both")
    tasks = {task: data for task, data in ((REPLY, conversations), (INFERENCE, pairs)) if data is not None}
    order = TaskOrder({task: len(data) for task, data in tasks.items()}, (size, pairs_size), every, seed, same_order)
    return DataLoader(_Tasks(tasks), batch_size=None, sampler=order, generator=torch.Generator())


class _Tasks(Dataset):
    def __init__(self, tasks: Mapping[int, Conversations | LabelledPairs]):
        self.tasks = tasks

    def __getitem__(self, drawn: tuple[int, Tensor]) -> Batch:
        task, rows = drawn
        return self.tasks[task].batch(rows)


class TaskOrder(Sampler):
    """The task and the rows of each batch, in an order that depends on seed and epoch alone.

    Lightning calls `set_epoch` at the start of every epoch. The pairs go on in the next epoch where this one ended;
    every pass over them is shuffled differently.

    Args:
        rows: number of rows by task; sizes: of a batch of each task.
        every, seed, same_order: of `task_batches`.
    """

    def __init__(self, rows: Mapping[int, int], sizes: tuple[int, int], every: int, seed: int, same_order: bool):
        self.rows, self.sizes, self.every, self.seed, self.same_order = rows, sizes, every, seed, same_order
        self.epoch = 0
        self._orders: dict[int, tuple[int, Tensor]] = {}  # by task, its last pass and the order of that

    def set_epoch(self, epoch: int) -> None:
        self.epoch = 0 if self.same_order else epoch

    def __len__(self) -> int:
        return self._batches(REPLY) + self._between() if REPLY in self.rows else self._batches(INFERENCE)

    def __iter__(self) -> Iterator[tuple[int, Tensor]]:
        main = REPLY if REPLY in self.rows else INFERENCE
        count, pair_batch = self._batches(main), self.epoch * self._between()
        every = min(self.every, count)
        for number in range(count):
            yield self._drawn(main, self.epoch * count + number)
            if main == REPLY and INFERENCE in self.rows and (number + 1) % every == 0:
                yield self._drawn(INFERENCE, pair_batch)
                pair_batch += 1

    def _between(self) -> int:
        """How many batches of pairs an epoch of conversations has."""
        count = self._batches(REPLY) if len(self.rows) == 2 else 0
        return count // min(self.every, max(1, count))

    def _batches(self, task: int) -> int:
        """Number of batches in a pass."""
        return batch_count(self.rows[task], self.sizes[task])

    def _drawn(self, task: int, number: int) -> tuple[int, Tensor]:
        """The batch with this number since training began."""
        rank, world = process()
        turn, batch = divmod(number, self._batches(task))
        if self._orders.get(task, (None,))[0] != turn:
            generator = torch.Generator().manual_seed((self.seed * 1_000_003 + turn) * 2 + task)
            self._orders[task] = turn, torch.randperm(self.rows[task], generator=generator)
        rows = self._orders[task][1][batch_rows(batch, self.rows[task], self.sizes[task])]
        return task, rows[rank::world]
