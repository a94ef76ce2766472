"""Counts of contexts and GloVe across two languages, compared with loops; GloVe compared with the memory it moves."""

import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy import sparse

from benchmarks.timing import keep, line, paired
from repline.systems.cjc.context_counts import count_contexts
from repline.systems.cjc.parallel_sentences import Side, lists, side
from repline.vectors.glove import train_glove, weight
from repline.vectors.recipes import Glove

PAIRS, LENGTH, WORDS, WINDOW = 4_000, 14, 3_000, 5
CELLS, DIMENSIONS = 20_000, 100
COUNTING, EPOCHS = 20, 5  # goals


def main() -> None:
    rng = np.random.default_rng(0)
    print(f"{'one thread':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    first, second, matches = _bitext(rng)
    ours, peer = paired(
        lambda: count_contexts(first, second, matches, WINDOW),
        lambda: _loops(first, second, matches, WINDOW),
        rounds=3,
    )
    line(f"{PAIRS} pairs of sentences counted, against a loop over the equations", ours, peer, COUNTING)
    counts = count_contexts(first, second, matches, WINDOW).combined(matching=0.4, parallel=0.2)
    few = _few(counts, rng)
    ours, peer = paired(
        lambda: train_glove(few, Glove(dimensions=DIMENSIONS, iterations=1)),
        lambda: _numpy_epoch(few, DIMENSIONS),
        rounds=3,
    )
    line(f"an epoch of GloVe over {CELLS} cells, against NumPy a cell at a time", ours, peer, EPOCHS)
    _roofline(counts)


def _roofline(counts: sparse.csr_array) -> None:
    """Seconds of an epoch compared with those to read and write two vectors and two sums of squares a cell."""
    seconds = []
    for iterations in (1, 3):
        started = time.perf_counter()
        train_glove(counts, Glove(dimensions=DIMENSIONS, iterations=iterations))
        seconds.append(time.perf_counter() - started)
    epoch = (seconds[1] - seconds[0]) / 2
    moved = counts.nnz * 4 * (DIMENSIONS + 1) * 4 * 2  # bytes: four rows of float32, read and written
    block = np.ones(1 << 25, np.float32)
    copy = np.empty_like(block)
    best = min(_copied(block, copy) for _ in range(5))
    bandwidth = 2 * block.nbytes / best
    print(
        f"  {counts.nnz:,} cells: {epoch:.2f} s an epoch, {counts.nnz / epoch:,.0f} cells a second; "
        f"{moved / 1e9:.1f} GB at {bandwidth / 1e9:.1f} GB/s take {moved / bandwidth:.2f} s"
    )
    keep("GloVe: seconds that memory needs for an epoch's vectors, as a share of the epoch", moved / bandwidth / epoch)


def _copied(block: np.ndarray, copy: np.ndarray) -> float:
    started = time.perf_counter()
    np.copyto(copy, block)
    return time.perf_counter() - started


def _bitext(rng: np.random.Generator) -> tuple[Side, Side, sparse.csr_array]:
    """Words by Zipf's law; a word matches ten others, as words with common characters do."""
    sides = []
    for start in (0, WORDS):
        lengths = rng.poisson(LENGTH - 1, size=PAIRS) + 1
        words = np.exp(rng.uniform(0, np.log(WORDS), size=lengths.sum())).astype(np.int64) - 1
        sides.append(side(np.split(start + words, np.cumsum(lengths)[:-1])))
    matches = sparse.random_array((WORDS, WORDS), density=10 / WORDS, rng=rng).astype(bool)
    return *sides, sparse.csr_array(matches)


def _few(counts: sparse.csr_array, rng: np.random.Generator) -> sparse.coo_array:
    cells = counts.tocoo()
    sample = rng.choice(cells.nnz, size=CELLS, replace=False)
    return sparse.coo_array((cells.data[sample], (cells.row[sample], cells.col[sample])), shape=cells.shape)


def _loops(
    first: Side, second: Side, matches: sparse.csr_array, window: int
) -> dict[str, dict[tuple[int, int], float]]:
    """The three kinds of context, sentence by sentence into dictionaries."""
    n = matches.shape[0]
    of = [
        set(matches.indices[start:stop].tolist())
        for start, stop in zip(matches.indptr, matches.indptr[1:], strict=False)
    ]
    within_language: dict[tuple[int, int], float] = {}
    windows: dict[tuple[int, int], float] = {}
    sentences: dict[tuple[int, int], float] = {}
    for zh, ja in zip(lists(first), lists(second), strict=True):
        both = zh.tolist(), ja.tolist()
        for turned in (False, True):
            here, there = both[turned], both[not turned]
            for i, w in enumerate(here):
                for k in range(max(0, i - window), min(len(here), i + window + 1)):
                    if k != i:
                        within_language[w, here[k]] = within_language.get((w, here[k]), 0) + 1 / abs(i - k)
                for j, u in enumerate(there):
                    sentences[w, u] = sentences.get((w, u), 0) + 1
                    if (w - n in of[u]) if turned else (u - n in of[w]):
                        for k in range(max(0, j - window), min(len(there), j + window + 1)):
                            if k != j:
                                windows[w, there[k]] = windows.get((w, there[k]), 0) + 1 / abs(j - k)
    return {"own": within_language, "windows": windows, "sentences": sentences}


def _numpy_epoch(counts: sparse.coo_array, d: int) -> np.ndarray:
    """AdaGrad on one cell after another, vectors by NumPy."""
    rng = np.random.default_rng(0)
    x, y = (((rng.random((size, d + 1)) - 0.5) / (d + 1)).astype(np.float32) for size in counts.shape)
    x_squares, y_squares = np.ones_like(x), np.ones_like(y)
    weights, logs = weight(counts.data).astype(np.float32), np.log(counts.data).astype(np.float32)
    for cell in rng.permutation(counts.nnz):
        i, j = counts.row[cell], counts.col[cell]
        error = x[i, :d] @ y[j, :d] + x[i, d] + y[j, d] - logs[cell]
        step = np.float32(0.05) * weights[cell] * error
        x_gradient, y_gradient = np.append(step * y[j, :d], step), np.append(step * x[i, :d], step)
        x[i] -= x_gradient / np.sqrt(x_squares[i])
        y[j] -= y_gradient / np.sqrt(y_squares[j])
        x_squares[i] += x_gradient * x_gradient
        y_squares[j] += y_gradient * y_gradient
    return x


if __name__ == "__main__":
    main()
