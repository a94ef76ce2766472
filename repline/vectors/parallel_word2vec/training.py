"""Training on several threads, from a corpus to the vectors of its words."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from repline.vectors import denormals
from repline.vectors.negative_sampling import alias_table, keep_probabilities
from repline.vectors.parallel_word2vec.drawn_windows import Windows, corpus_windows, mixed
from repline.vectors.parallel_word2vec.window_updates import Changes, train_windows
from repline.vectors.recipes import Word2Vec
from repline.vectors.tokens import Tokens

MAX_BATCH = 1024  # windows
MAX_STEP = 0.4  # learning rate times how often a batch reads the most frequent word, on average
MAX_CHANGES = 175.0  # learning rate times how often a batch changes any row
LEAST_SHARE = 0.6  # of the time of a processor, that each thread should get; else they wait for each other
ALONE = 16  # pieces that one thread trains before all of them try again
Progress = Callable[[int, int], None]


@denormals.as_zero()
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
        threads: how many work; the vectors are the same for any number. One works alone for a while where other
            programs have the processors.
        progress: called after each epoch with its number from 1 and the number of epochs.

    Raises:
        InputError: the corpus cannot be read.
        FloatingPointError: a vector is not finite; the learning rate is too high.
    """
    rng = np.random.default_rng(recipe.seed)
    inputs = ((rng.random((len(words), recipe.dimensions), dtype=np.float32) - 0.5) / recipe.dimensions).astype("f4")
    outputs = np.zeros_like(inputs)
    keep, table = keep_probabilities(counts, recipe.sample), alias_table(counts**0.75)
    batch = windows_in_batch(counts * keep, recipe)
    owners = {number: row_owners(counts * keep, number) for number in (1, threads)}
    total = int(counts.sum()) * recipe.epochs
    changes = Changes.of_windows(batch, recipe)
    work_space = (changes.targets, changes.factors, changes.to_outputs, changes.to_inputs)
    is_cbow = recipe.architecture == "cbow"
    arrivals = np.zeros(1, np.int64)  # at the barrier, of all threads

    def work(thread: int, working: int, windows: Windows, key: np.uint64) -> None:
        train_windows(
            (windows.tokens, windows.low, windows.high), windows.read, inputs, outputs, table, key,
            (recipe.learning_rate, total), is_cbow, batch, owners[working], thread, working, arrivals, work_space,
        )  # fmt: skip

    read = alone = 0  # words so far; pieces that one thread trains next
    with ThreadPoolExecutor(threads) as pool:
        for epoch in range(recipe.epochs):
            for windows in corpus_windows(tokens, words, keep, recipe, epoch, read):
                key = np.uint64(mixed(np.uint64(recipe.seed), np.uint64(windows.read[0] + 1)))  # of this piece
                working = 1 if alone else threads
                arrivals[0], wall, processors = 0, time.perf_counter(), time.process_time()
                for task in [pool.submit(work, thread, working, windows, key) for thread in range(working)]:
                    task.result()
                share = (time.process_time() - processors) / (working * (time.perf_counter() - wall))
                alone = max(alone - 1, 0)
                if working > 1 and share < LEAST_SHARE:
                    alone = ALONE
            read += int(counts.sum())
            if not np.isfinite(inputs).all():
                raise FloatingPointError(f"epoch {epoch + 1}: a vector is not finite; lower learning_rate")
            if progress:
                progress(epoch + 1, recipe.epochs)
    return inputs


def windows_in_batch(occurrences: NDArray[np.floating], recipe: Word2Vec) -> int:
    """How many windows a batch has, so that all of it can be computed from the same vectors.

    A word that a batch reads n times moves by n steps from one point; beyond `MAX_STEP` the training may not converge.
    Beyond `MAX_CHANGES` the vectors of all words drift in one direction: wide windows with many negative words change
    hundreds of rows each.

    Args:
        occurrences: [V], of each word, without those left out.
        recipe: the architecture, the window, the negative words and the learning rate.
    """
    contexts = recipe.window + 1  # of a window, on average, for its width is drawn from 1 to `window` on either side
    outputs = 1 + recipe.negative
    changes = contexts + outputs if recipe.architecture == "cbow" else contexts * outputs
    readings = float(occurrences.max() / occurrences.sum()) * contexts
    windows = min(MAX_STEP / readings, MAX_CHANGES / changes) / recipe.learning_rate
    return int(np.clip(windows, 1, MAX_BATCH))


def row_owners(occurrences: NDArray[np.floating], threads: int) -> NDArray[np.int32]:
    """The thread that changes each row, so that all have about as much to do: int32 [V]."""
    work, owners = np.zeros(threads), np.empty(len(occurrences), np.int32)
    for row in np.argsort(-occurrences, kind="stable"):
        owners[row] = work.argmin()
        work[owners[row]] += occurrences[row]
    return owners
