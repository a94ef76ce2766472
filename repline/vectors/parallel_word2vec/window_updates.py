"""The two steps of a batch of windows: what it adds to the vectors is computed, then added."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from repline.vectors.negative_sampling import LEAST_RATE, compiled, drawn_word
from repline.vectors.parallel_word2vec.barrier import wait_for_others
from repline.vectors.parallel_word2vec.drawn_windows import mixed
from repline.vectors.recipes import Word2Vec

UNUSED = -1  # a drawn word that is the center itself


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
