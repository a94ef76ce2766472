"""Batches of word numbers for language models: one contiguous stream in rows, or sentences side by side.

Every token of a split is a target exactly once in an epoch. Padding, and all else that is not to be
predicted, has the target `IGNORED`.
"""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Sampler

from repline.errors import InputError
from repline.training.batches import RowOrder, process

IGNORED = -100
END = 1  # the id of <eos>, which also stands before the first word


class WordStream(Protocol):
    """Numbers of words in their order: an array, or what computes its numbers when they are read."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: Any, /) -> Any: ...


class Corpus(Protocol):
    """The attributes that are needed of `repline.corpora.language_modeling.corpus.LanguageModelingCorpus`."""

    def ids(self, split: str) -> WordStream: ...
    def sentences(self, split: str) -> NDArray[np.integer]: ...


def contiguous(
    ids: WordStream,
    batch: int,
    steps: int,
    *,
    targets: NDArray[np.integer] | None = None,
    random_steps: bool = False,
    seed: int = 0,
) -> DataLoader:
    """The stream as B rows that follow each other, cut into segments of T steps, for truncated back-propagation.

    Row b reads what row b of the segment before ended with: the caller carries the state from one batch to the next,
    and is reset where `first` is true. The first word of the stream is read after `<eos>`, that of each later row
    after the word before it.

    Args:
        ids: [N] integers, memory-mapped or not; only the rows of a segment are read at a time.
        batch: B, at most N, over all processes together; each process gets some of the rows.
        steps: T; the last segment may be shorter.
        targets: [N], what is to be predicted at each place instead of ids, which are then read where they stand:
            inputs[t] = ids[t]. For streams with symbols (brackets, say) that are read and not predicted.
        random_steps: every segment has a length of its own, so that the rows are not always cut at the same positions:
            from a normal distribution with standard deviation 5 around T, or T / 2 once in twenty times, at least 5.
        seed: with the epoch, it fixes the random lengths.

    Returns:
        a loader of (inputs [B, T], targets [B, T], first): int64, int64, and a bool tensor without dimensions.

    Raises:
        InputError: fewer ids than rows.

    Source: Merity, Keskar & Socher 2018, section 5, for the random lengths.
    """
    if not 1 <= batch <= len(ids):
        raise InputError(f"expected 1 to {len(ids)} rows of a stream of {len(ids):,} words, found a batch of {batch}")
    if steps < 1:
        raise InputError(f"expected segments of at least one step, found {steps}")
    if targets is not None and len(targets) != len(ids):
        raise ValueError(f"expected a target for each of {len(ids)} positions, found {len(targets)}")
    rows = _Rows(ids, targets, batch)
    order = _RandomSegments(rows.length, steps, seed) if random_steps else _Segments(rows.length, steps)
    return DataLoader(rows, batch_size=None, sampler=order, generator=torch.Generator())


def sentence_batches(
    corpus: Corpus,
    split: str,
    size: int,
    seed: int = 0,
    maximum_tokens: int | None = None,
    *,
    minimum_tokens: int = 1,
    sentences: int | None = None,
    shuffle: bool = True,
) -> DataLoader:
    """Sentences side by side, those of similar length in one batch.

    A sentence w_1 .. w_n is read as `<eos>` w_1 .. w_n, and w_1 .. w_n `<eos>` is to be predicted.

    Args:
        corpus: whose sentences end with `<eos>`.
        size: B; the last batch may be smaller.
        seed: with the epoch, it fixes the order.
        maximum_tokens: words of a sentence at most, `<eos>` not counted.
        minimum_tokens: shorter sentences are left out.
        sentences: the first N of those that are left; None for all.
        shuffle: False for the same order in every epoch (evaluation).

    Returns:
        a loader of (inputs [B, T], targets [B, T], lengths [B]), int64, padded on the right to the longest.

    Raises:
        InputError: a sentence over the maximum, or too few sentences.
    """
    ids, offsets = corpus.ids(split), np.asarray(corpus.sentences(split))
    lengths = np.diff(offsets)  # [S], <eos> included
    if maximum_tokens is not None and len(lengths) and lengths.max() - 1 > maximum_tokens:
        worst = int(lengths.argmax())
        raise InputError(
            f"{split}: sentence {worst} has {lengths[worst] - 1} words and the limit is {maximum_tokens}; "
            "set language_modeling.maximum_tokens to leave such sentences out of the corpus"
        )
    rows = np.flatnonzero(lengths - 1 >= minimum_tokens)[:sentences]
    if not len(rows) or (sentences is not None and len(rows) < sentences):
        sentences_asked = sentences or "one or more"
        raise InputError(
            f"{split}: expected {sentences_asked} sentences of at least {minimum_tokens} words, found {len(rows)}; "
            "take a larger corpus"
        )
    return padded(ids, offsets[:-1][rows], lengths[rows], size, seed=seed, shuffle=shuffle)


def padded(
    ids: WordStream,
    starts: NDArray[np.integer],
    lengths: NDArray[np.integer],
    size: int,
    *,
    targets: NDArray[np.integer] | None = None,
    seed: int = 0,
    shuffle: bool = True,
) -> DataLoader:
    """Stretches of a stream side by side: ids[start : start + length] for each of S starts.

    Args:
        ids: [N].
        starts, lengths: [S].
        size: B.
        targets: [N] as in `contiguous`; without them, a stretch is read after `<eos>` and predicted whole.

    Returns:
        a loader of (inputs [B, T], targets [B, T], lengths [B]), padded on the right.
    """
    order = RowOrder(len(starts), size, seed, torch.from_numpy(np.array(lengths, np.int64)), shuffle)
    stretches = _Stretches(ids, targets, np.asarray(starts), np.asarray(lengths))
    return DataLoader(stretches, batch_size=None, sampler=order, generator=torch.Generator())


class _Rows(Dataset):
    def __init__(self, ids: WordStream, targets: NDArray | None, batch: int) -> None:
        self.ids, self.targets, self.batch = ids, targets, batch
        self.length = -(-len(ids) // batch)  # of a row; the last ones may end early

    def __getitem__(self, segment: tuple[int, int]) -> tuple[Tensor, Tensor, Tensor]:
        start, stop = segment
        rank, world = process()
        positions = np.arange(self.batch)[rank::world, None] * self.length + np.arange(start, stop)  # [B, T]
        there = positions < len(self.ids)
        positions = np.where(there, positions, 0)
        if self.targets is None:
            inputs = np.where(positions > 0, self.ids[positions - 1], END)
            next_words = self.ids[positions]
        else:
            inputs, next_words = self.ids[positions], self.targets[positions]
        next_words = np.where(there, next_words, IGNORED)
        return _integers(inputs), _integers(next_words), torch.tensor(start == 0)


class _Segments(Sampler):
    def __init__(self, length: int, steps: int) -> None:
        self.length, self.steps = length, steps

    def __len__(self) -> int:
        return -(-self.length // self.steps)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for start in range(0, self.length, self.steps):
            yield start, min(start + self.steps, self.length)


class _RandomSegments(Sampler):
    """Without `__len__`: an epoch may have more segments than the one before."""

    def __init__(self, length: int, steps: int, seed: int) -> None:
        self.length, self.steps, self.seed, self.epoch = length, steps, seed, 0

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def __iter__(self) -> Iterator[tuple[int, int]]:
        random = np.random.default_rng((self.seed, self.epoch))
        start = 0
        while start < self.length:
            mean = self.steps if random.random() < 0.95 else self.steps / 2
            stop = min(start + max(5, int(random.normal(mean, 5))), self.length)
            yield start, stop
            start = stop


class _Stretches(Dataset):
    def __init__(self, ids: WordStream, targets: NDArray | None, starts: NDArray, lengths: NDArray) -> None:
        self.ids, self.targets, self.starts, self.lengths = ids, targets, starts, lengths

    def __getitem__(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        starts, lengths = self.starts[rows.numpy()], self.lengths[rows.numpy()]
        steps = np.arange(lengths.max() if len(lengths) else 0)
        there = steps < lengths[:, None]  # [B, T]
        positions = np.where(there, starts[:, None] + steps, 0)
        if self.targets is None:
            next_words = self.ids[positions]
            inputs = np.concatenate([np.full_like(next_words[:, :1], END), next_words[:, :-1]], axis=1)
        else:
            inputs, next_words = self.ids[positions], self.targets[positions]
        inputs = np.where(there, inputs, 0)
        return _integers(inputs), _integers(np.where(there, next_words, IGNORED)), _integers(lengths)


def _integers(values: NDArray) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(values, np.int64))
