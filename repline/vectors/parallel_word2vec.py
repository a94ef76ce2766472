"""Skip-gram and CBOW on several cores, with the same bytes for every number of threads.

Threads that write into one matrix at once, as in the program word2vec and in gensim, end with other vectors each time.
Here the windows of the corpus are taken in batches, and each batch in two steps:

    1. the changes of all windows are computed from the vectors as the last batch left them; each window is one thread's
    2. the changes are added to the vectors; each row of a matrix is one thread's, and takes them in the order of text

No step reads what another thread writes, and the sum of a row has one order, so the number of threads decides only who
does the work. What is random (skipped words, widths of windows, negative words) hangs on the seed, the epoch and the
position in the corpus.

For a window with center w, context C and drawn words N, with inputs v and outputs u, the objective is

    skip-gram:  sum over c in C of [log s(u_w . v_c) + sum over n in N of log s(-u_n . v_c)]
    CBOW:       log s(u_w . h) + sum over n in N of log s(-u_n . h),    h the mean of v_c, c in C

All words of a window share the drawn words N, so that a window reads its rows once; as in word2vec, CBOW gives the
whole gradient of h to each c. A batch is short enough that no word moves far in it (`windows_in_batch`).

Source: Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality", eq. (4);
shared drawn words: Ji et al. 2016, "Parallelizing Word2Vec in Shared and Distributed Memory", section 3.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import cast

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from repline.vectors.negative_sampling import (
    LEAST_RATE,
    alias_table,
    below,
    compiled,
    drawn_word,
    keep_probabilities,
    uniform,
)
from repline.vectors.recipes import Word2Vec
from repline.vectors.tokens import Tokens

MAX_BATCH = 1024  # windows
MAX_STEP = 0.4  # learning rate times how often a batch reads the most frequent word, on average
PIECE = 100_000  # words whose windows are in memory at a time
LOOKS = 200  # at the counter of a barrier, before a thread gives way
UNUSED = -1  # a drawn word that is the center itself
Progress = Callable[[int, int], None]
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


@dataclass(frozen=True)
class Changes:
    """Work space: what the windows of a batch of b add to the vectors.

    Attributes:
        targets: int32 [b, 1 + negative], the center and the drawn words.
        factors: float32 [b, 1 + negative], CBOW's to_outputs in multiples of h.
        to_outputs: float32 [b, 1 + negative, d]; of CBOW, h in the first row.
        to_inputs: float32 [b, 2 window, d], of the words of the context; of CBOW, the same for all, in the first row.
    """

    targets: NDArray[np.int32]
    factors: NDArray[np.float32]
    to_outputs: NDArray[np.float32]
    to_inputs: NDArray[np.float32]

    @classmethod
    def of_windows(cls, windows: int, recipe: Word2Vec) -> "Changes":
        """Work space for batches of so many windows, not filled."""
        targets = (windows, 1 + recipe.negative)
        return cls(
            np.empty(targets, np.int32),
            np.empty(targets, np.float32),
            np.empty((*targets, recipe.dimensions), np.float32),
            np.empty((windows, 2 * recipe.window, recipe.dimensions), np.float32),
        )


def train(
    tokens: Tokens,
    words: Sequence[str],
    counts: NDArray[np.int64],
    recipe: Word2Vec,
    threads: int,
    progress: Progress | None = None,
) -> NDArray[np.float32]:
    """Input vectors of the words after training on a corpus: float32 [V, d].

    Args:
        words, counts: the vocabulary, of `Tokens.vocabulary`.
        threads: how many work; the vectors are the same for any number.
        progress: called after each epoch with its number from 1 and the number of epochs.

    Raises:
        InputError: the corpus cannot be read.
        FloatingPointError: a vector is not finite; the learning rate is too high.
    """
    rng = np.random.default_rng(recipe.seed)
    inputs = ((rng.random((len(words), recipe.dimensions), dtype=np.float32) - 0.5) / recipe.dimensions).astype("f4")
    outputs = np.zeros_like(inputs)
    keep, table = keep_probabilities(counts, recipe.sample), alias_table(counts**0.75)
    batch = windows_in_batch(counts * keep, recipe.window, recipe.learning_rate)
    owners = row_owners(counts * keep, threads)
    total = int(counts.sum()) * recipe.epochs
    changes = Changes.of_windows(batch, recipe)
    work_space = (changes.targets, changes.factors, changes.to_outputs, changes.to_inputs)
    is_cbow = recipe.architecture == "cbow"
    arrivals = np.zeros(1, np.int64)  # at the barrier, of all threads

    def work(thread: int, windows: Windows, key: np.uint64) -> None:
        train_windows(
            (windows.tokens, windows.low, windows.high), windows.read, inputs, outputs, table, key,
            (recipe.learning_rate, total), is_cbow, batch, owners, thread, threads, arrivals, work_space,
        )  # fmt: skip

    read = 0
    with ThreadPoolExecutor(threads) as pool:
        for epoch in range(recipe.epochs):
            for windows in corpus_windows(tokens, words, keep, recipe, epoch, read):
                key = np.uint64(mixed(np.uint64(recipe.seed), np.uint64(windows.read[0] + 1)))  # of this piece
                for task in [pool.submit(work, thread, windows, key) for thread in range(threads)]:
                    task.result()
            read += int(counts.sum())
            if not np.isfinite(inputs).all():
                raise FloatingPointError(f"epoch {epoch + 1}: a vector is not finite; lower learning_rate")
            if progress:
                progress(epoch + 1, recipe.epochs)
    return inputs


def windows_in_batch(occurrences: NDArray[np.floating], window: int, learning_rate: float) -> int:
    """How many windows a batch has, so that what it adds to the most frequent word is no more than one large step.

    A word that a batch reads n times moves by n steps from one point; beyond `MAX_STEP` the training may not converge.

    Args:
        occurrences: [V], of each word, without those left out.
        window: words to the left and to the right, at most; a window has window + 1 in its context on average.
    """
    readings = float(occurrences.max() / occurrences.sum()) * (window + 1)
    return int(np.clip(MAX_STEP / (learning_rate * readings), 1, MAX_BATCH))


def row_owners(occurrences: NDArray[np.floating], threads: int) -> NDArray[np.int32]:
    """The thread that changes each row, so that all have about as much to do: int32 [V]."""
    work, owners = np.zeros(threads), np.empty(len(occurrences), np.int32)
    for row in np.argsort(-occurrences, kind="stable"):
        owners[row] = work.argmin()
        work[owners[row]] += occurrences[row]
    return owners


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


@compiled
def train_windows(
    windows, read, inputs, outputs, table, key, rates, is_cbow, batch, owners, thread, threads, arrivals, work_space
):
    """One thread's part in the training on some rows, batch by batch.

    Args:
        windows: (tokens, low, high), and read, of `Windows`.
        table: (thresholds, aliases) of `alias_table`.
        rates: (the learning rate at the beginning, tokens of all epochs).
        arrivals: int64 [1], see `wait_for_others`; the others, see `compute` and `add`.
    """
    tokens, low, high = windows
    first_rate, total = rates
    threshold, alias = table
    targets, factors, to_outputs, to_inputs = work_space
    for start in range(0, len(tokens), batch):
        end = min(start + batch, len(tokens))
        rate = np.float32(first_rate * max(1 - read[start] / total, LEAST_RATE))
        first, last = start + (end - start) * thread // threads, start + (end - start) * (thread + 1) // threads
        compute(
            tokens, low, high, first, last, start, inputs, outputs, threshold, alias, key, rate, is_cbow,
            targets, factors, to_outputs, to_inputs,
        )  # fmt: skip
        wait_for_others(arrivals, threads)
        add(
            tokens, low, high, start, end, owners, thread, inputs, outputs, is_cbow,
            targets, factors, to_outputs, to_inputs,
        )  # fmt: skip
        wait_for_others(arrivals, threads)


def _atomic_addition(typing_context, counter, value):
    """The signature and the instructions of `_add_at_once`, see `numba.extending.intrinsic`."""

    def instructions(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("add", data, arguments[1], "seq_cst")

    return types.int64(counter, types.int64), instructions


# (counter, n): adds n to counter[0], with no other thread between reading and writing; the count before
_add_at_once = cast(Callable[[NDArray[np.int64], int], int], intrinsic(_atomic_addition))
_give_way = types.ExternalFunction("sched_yield", types.int32())  # of POSIX: lets other threads have the processor


@compiled
def wait_for_others(arrivals, threads):
    """Wait until all threads have come as often as this one.

    Batches take less than a millisecond, in which a lock of Python costs too much: this looks at a counter again and
    again, and lets other threads have the processor in between.

    Args:
        arrivals: int64 [1], how often threads have come here; 0 before the first.
    """
    if threads == 1:
        return
    mine = _add_at_once(arrivals, 1)
    awaited = (mine // threads + 1) * threads
    looks = 0
    while _add_at_once(arrivals, 0) < awaited:
        looks += 1
        if looks % LOOKS == 0:
            _give_way()


@compiled
def compute(
    tokens, low, high, first, last, start, inputs, outputs, threshold, alias, key, rate, is_cbow,
    targets, factors, to_outputs, to_inputs,
):  # fmt: skip
    """Compute what the windows from `first` to `last` add to the vectors: the rate times the objective's gradient.

    Args:
        tokens, low, high: of `Windows`.
        start: the first window of the batch, which has index 0 in the work space.
        inputs, outputs: float32 [V, d], only read.
        threshold, alias: of `alias_table`, to draw negative words.
        key: uint64, of the random numbers of these rows.
        targets, factors, to_outputs, to_inputs: of `Changes`, written.
    """
    d, count = inputs.shape[1], targets.shape[1]
    state = np.empty(1, np.uint64)
    for center in range(first, last):
        slot, context = center - start, high[center] - low[center] - 1
        if context < 1:
            continue
        state[0] = mixed(key, np.uint64(center))
        targets[slot, 0] = tokens[center]
        for position in range(1, count):
            word = drawn_word(state, threshold, alias)
            targets[slot, position] = UNUSED if word == tokens[center] else word
        if is_cbow:
            h, to_h = to_outputs[slot, 0], to_inputs[slot, 0]
            h[:] = 0
            to_h[:] = 0
            for neighbour in range(low[center], high[center]):
                if neighbour != center:
                    vector = inputs[tokens[neighbour]]
                    for e in range(d):
                        h[e] += vector[e]
            share = np.float32(1) / np.float32(context)
            for e in range(d):
                h[e] *= share
            for position in range(count):
                word = targets[slot, position]
                if word != UNUSED:
                    factor = _factor(h, outputs[word], position == 0, rate)
                    factors[slot, position] = factor
                    _add_multiple(to_h, factor, outputs[word])
            continue
        to_outputs[slot] = 0
        index = 0
        for neighbour in range(low[center], high[center]):
            if neighbour == center:
                continue
            vector, change = inputs[tokens[neighbour]], to_inputs[slot, index]
            change[:] = 0
            for position in range(count):
                word = targets[slot, position]
                if word != UNUSED:
                    factor = _factor(vector, outputs[word], position == 0, rate)
                    _add_multiple(change, factor, outputs[word])
                    _add_multiple(to_outputs[slot, position], factor, vector)
            index += 1


@compiled
def _factor(vector, output, is_center, rate):
    """The rate times the derivative of log s(u . v), or of log s(-u . v) for a drawn word, by u . v."""
    dot = np.float32(0)
    for e in range(len(vector)):
        dot += vector[e] * output[e]
    return rate / (np.float32(1) + np.exp(dot)) if is_center else -rate / (np.float32(1) + np.exp(-dot))


@compiled
def _add_multiple(row, factor, change):
    for e in range(len(row)):
        row[e] += factor * change[e]


@compiled
def add(
    tokens, low, high, start, end, owners, thread, inputs, outputs, is_cbow, targets, factors, to_outputs, to_inputs
):
    """Add the changes of a batch to the rows that one thread owns, in the order of the text.

    Args:
        start, end: the windows of the batch.
        owners: int32 [V], see `row_owners`.
        others: see `compute`.
    """
    whole = np.float32(1)
    for center in range(start, end):
        slot = center - start
        if high[center] - low[center] < 2:
            continue
        for position in range(targets.shape[1]):
            word = targets[slot, position]
            if word == UNUSED or owners[word] != thread:
                continue
            if is_cbow:
                _add_multiple(outputs[word], factors[slot, position], to_outputs[slot, 0])
            else:
                _add_multiple(outputs[word], whole, to_outputs[slot, position])
        index = 0
        for neighbour in range(low[center], high[center]):
            if neighbour == center:
                continue
            if owners[tokens[neighbour]] == thread:
                _add_multiple(inputs[tokens[neighbour]], whole, to_inputs[slot, 0 if is_cbow else index])
            index += 1
