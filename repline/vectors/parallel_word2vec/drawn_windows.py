"""The windows of a corpus, with what is left out of it, in pieces that do not hang on how its files are cut."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from repline.vectors.negative_sampling import below, compiled, uniform
from repline.vectors.recipes import Word2Vec
from repline.vectors.tokens import Tokens

PIECE = 100_000  # words whose windows are in memory at a time
Rows = tuple[NDArray[np.int32], NDArray[np.int64]]


@dataclass(frozen=True)
class Windows:
    """The windows of some rows of the corpus.

    Attributes:
        tokens: int32 [n], the words that are kept, one row after another.
        low, high: int32 [n], the window of each token: tokens[low:high], with the token itself.
        read: int64 [n], how many tokens of the vocabulary were read before each, those left out counted too.
    """

    tokens: NDArray[np.int32]
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    read: NDArray[np.int64]


def corpus_windows(
    tokens: Tokens, words: Sequence[str], keep: NDArray[np.float32], recipe: Word2Vec, epoch: int, read: int
) -> Iterator[Windows]:
    """The windows of one epoch, piece by piece; the next piece is read while the last is trained on.

    Args:
        keep: float32 [V], the probability that an occurrence of each word is kept.
        read: tokens of the vocabulary in the epochs before.
    """
    rows = pieces((numbers, lengths) for numbers, lengths, _ in tokens.numbered(list(words)))
    state = np.array([mixed(np.uint64(recipe.seed), np.uint64(epoch) << np.uint64(48))], np.uint64)

    def following(read: int) -> tuple[Windows, int] | None:
        piece = next(rows, None)
        if piece is None:
            return None
        arrays = draw_windows(*piece, keep, recipe.window, read, state)
        return Windows(*arrays), read + int(np.count_nonzero(piece[0] >= 0))

    with ThreadPoolExecutor(1) as reader:
        ahead = reader.submit(following, read)
        while (current := ahead.result()) is not None:
            windows, read = current
            ahead = reader.submit(following, read)
            if len(windows.tokens):
                yield windows


def pieces(rows: Iterable[Rows]) -> Iterator[Rows]:
    """Pieces of a corpus, each of whole rows and at least `PIECE` words but the last, however its files are cut.

    Args:
        rows: word numbers int32 [n] of some rows, and how many each row has, int64 [rows].
    """
    numbers, lengths = np.empty(0, np.int32), np.empty(0, np.int64)
    for more_numbers, more_lengths in rows:
        numbers, lengths = np.concatenate([numbers, more_numbers]), np.concatenate([lengths, more_lengths])
        while len(numbers) >= PIECE:
            ends = np.cumsum(lengths)
            cut = int(np.searchsorted(ends, PIECE)) + 1
            yield numbers[: ends[cut - 1]], lengths[:cut]
            numbers, lengths = numbers[ends[cut - 1] :], lengths[cut:]
    if len(numbers):
        yield numbers, lengths


@compiled
def mixed(first, second):
    """A number that hangs on every bit of two others, and is not 0 (SplitMix64's last step)."""
    z = first * np.uint64(0x9E3779B97F4A7C15) + second
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))) | np.uint64(1)


@compiled
def draw_windows(numbers, lengths, keep, window, read, state):
    """Leave out some occurrences of frequent words, and draw the width of each window from 1 to `window`.

    Args:
        numbers: int32 [n], words of some rows; -1 for others, which are no part of a window.
        lengths: int64 [rows], how many each row has.
        keep: float32 [V]. read: tokens read before. state: uint64 [1] of the random numbers.

    Returns:
        the arrays of `Windows`.
    """
    tokens, seen = np.empty(len(numbers), np.int32), np.empty(len(numbers), np.int64)
    low, high = np.empty(len(numbers), np.int32), np.empty(len(numbers), np.int32)
    count = position = 0
    for length in lengths:
        start = count
        for _ in range(length):
            word = numbers[position]
            position += 1
            if word < 0:
                continue
            if keep[word] >= 1 or uniform(state) < keep[word]:
                tokens[count] = word
                seen[count] = read
                count += 1
            read += 1
        for center in range(start, count):
            reach = window - below(state, window)
            low[center] = max(start, center - reach)
            high[center] = min(count, center + reach + 1)
    return tokens[:count], low[:count], high[:count], seen[:count]
