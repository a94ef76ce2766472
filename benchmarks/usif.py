"""Sentence vectors of uSIF, compared with a loop over sentences in NumPy; the peak memory of a stream."""

import os
import tempfile
import tracemalloc
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import torch

from benchmarks.timing import line, paired
from repline.systems.usif.model import BLOCK, embed, embed_stream, index_sentences, weighted_averages

WORDS, SENTENCES, LENGTH = 50_000, 50_000, 11
GOAL = 5


def main() -> None:
    rng = np.random.default_rng(0)
    torch.set_num_threads(1)
    index = {f"w{row}": row for row in range(WORDS)}
    words = list(index)
    print(f"{'one thread, sentences of 11 words on average':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    for d in (50, 300):
        vectors = rng.normal(size=(WORDS, d)).astype(np.float32)
        weights = rng.uniform(0.03, 2, size=WORDS)
        rows, offsets = _sentences(rng, SENTENCES)
        text = [[words[row] for row in rows[start:stop]] for start, stop in pairwise(offsets)]
        ours, peer = paired(
            lambda v=vectors, w=weights, t=text: embed(*index_sentences(t, index), v, w),
            lambda v=vectors, w=weights, t=text: _without_components(_loop(t, index, v, w)),
            rounds=3,
        )
        line(f"{SENTENCES} sentences, {d} dimensions: uSIF, against a loop over sentences", ours, peer, GOAL)
        print(f"  {SENTENCES / ours:,.0f} sentences a second here, {SENTENCES / peer:,.0f} in the loop")
        ours, peer = paired(
            lambda v=vectors, w=weights, t=text: weighted_averages(*index_sentences(t, index), v, w),
            lambda v=vectors, w=weights, t=text: _loop(t, index, v, w),
            rounds=3,
        )
        line("  its weighted averages alone", ours, peer)
    _memory(rng)


def _loop(sentences: list[list[str]], index: dict[str, int], vectors: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted averages, a sentence at a time."""
    averages = np.empty((len(sentences), vectors.shape[1]), dtype=np.float32)
    for number, sentence in enumerate(sentences):
        rows = [index[word] for word in sentence if word in index]
        matrix = vectors[rows]
        norms = np.linalg.norm(matrix, axis=0)
        matrix = matrix / np.where(norms == 0, 1, norms)
        averages[number] = (weights[rows][:, None] * matrix).mean(axis=0)
    return averages


def _without_components(averages: np.ndarray, m: int = 5) -> np.ndarray:
    """By an exact singular value decomposition, a component at a time."""
    _, sigma, directions = np.linalg.svd(averages, full_matrices=False)
    shares = sigma[:m] ** 2 / (sigma[:m] ** 2).sum()
    for share, direction in zip(shares, directions[:m], strict=True):
        averages = averages - share * np.outer(averages @ direction, direction)
    return averages


def _memory(rng: np.random.Generator) -> None:
    """What a stream takes at most: a block's share, whatever the number of sentences."""
    vectors, weights = rng.normal(size=(WORDS, 300)).astype(np.float32), rng.uniform(0.03, 2, size=WORDS)
    with tempfile.TemporaryDirectory() as folder:
        for blocks in (4, 16):
            tracemalloc.start()
            embed_stream((_sentences(rng, BLOCK) for _ in range(blocks)), Path(folder) / "s.npy", vectors, weights)
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            print(
                f"stream of {blocks * BLOCK} sentences, 300 dimensions: at most {peak / 2**20:.0f} MB "
                f"(the result is {blocks * BLOCK * 300 * 4 / 2**20:.0f} MB)"
            )


def _sentences(rng: np.random.Generator, sentences: int) -> tuple[np.ndarray, np.ndarray]:
    """Words by Zipf's law, as (rows, offsets)."""
    lengths = rng.poisson(LENGTH - 1, size=sentences) + 1
    rank = np.exp(rng.uniform(0, np.log(WORDS), size=lengths.sum())).astype(np.int64)
    return np.minimum(rank, WORDS - 1), np.concatenate([[0], np.cumsum(lengths)])


if __name__ == "__main__":
    main()
