"""Sentence vectors of uSIF, beside a loop over sentences in NumPy; the peak memory of a stream."""

import os
import tempfile
import tracemalloc
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from benchmarks.timing import line, paired
from repline.models.usif import BLOCK, CommonComponents, embed, embed_stream

WORDS, SENTENCES, LENGTH = 50_000, 50_000, 11
GOAL = 5


def main() -> None:
    rng = np.random.default_rng(0)
    print(f"{'one thread, sentences of 11 words on average':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    for d in (50, 300):
        vectors = rng.normal(size=(WORDS, d)).astype(np.float32)
        weights = rng.uniform(0.03, 2, size=WORDS)
        rows, offsets = _sentences(rng, SENTENCES)
        ours, peer = paired(
            lambda v=vectors, w=weights, r=rows, o=offsets: embed(r, o, v, w),
            lambda v=vectors, w=weights, r=rows, o=offsets: _loop(r, o, v, w),
            rounds=3,
        )
        line(f"{SENTENCES} sentences, {d} dimensions: uSIF, beside a loop", ours, peer, GOAL)
        print(f"  {SENTENCES / ours:,.0f} sentences a second here, {SENTENCES / peer:,.0f} in the loop")
    _memory(rng)


def _loop(rows: np.ndarray, offsets: np.ndarray, vectors: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """A sentence at a time, then the same removal of components."""
    averages = np.empty((len(offsets) - 1, vectors.shape[1]), dtype=np.float32)
    for number in range(len(averages)):
        inside = rows[offsets[number] : offsets[number + 1]]
        matrix = vectors[inside]
        norms = np.linalg.norm(matrix, axis=0)
        matrix = matrix / np.where(norms == 0, 1, norms)
        averages[number] = (weights[inside][:, None] * matrix).mean(axis=0)
    return CommonComponents.of(averages).remove(averages)


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
