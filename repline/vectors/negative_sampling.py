"""Random draws of negative sampling, in compiled code: which frequent words are skipped, and the negative words.

Negative sampling stands for the softmax:  log P(w | h) = log s(u_w . h) + sum over drawn words n of log s(-u_n . h),
n by count^0.75, s the logistic function.

Source: Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality", eq. (4).
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK

_FRACTION = np.float32(1 / (1 << 24))
LEAST_RATE = 1e-4  # the lowest learning rate, as a share of the first

compiled = njit(cache=ON_DISK, nogil=True, fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")


@compiled
def _random(state):
    """The next number of xorshift64*, whose upper bits are good."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return (x * np.uint64(2685821657736338717)) >> np.uint64(20)  # 44 bits


@compiled
def uniform(state):
    """A uniform number in [0, 1) of 24 bits."""
    return np.float32(_random(state) >> np.uint64(20)) * _FRACTION


@compiled
def below(state, limit):
    """A random whole number from 0 to limit - 1; the bias is below 2^-24 for a limit up to about 2^20."""
    return np.int64(_random(state) % np.uint64(limit))


@compiled
def drawn_word(state, threshold, alias):
    """A word drawn by the alias method, for threshold float32 [V] and alias int32 [V] of `alias_table`."""
    word = below(state, len(threshold))
    return word if uniform(state) < threshold[word] else np.int64(alias[word])


@compiled
def longest_piece(offsets):
    """The most elements between two neighbours of offsets [n + 1]; 1 where all pieces are empty.

    A loop: for `np.max(np.diff(offsets))` numba compiles two seconds longer.
    """
    longest = 1
    for piece in range(len(offsets) - 1):
        longest = max(longest, offsets[piece + 1] - offsets[piece])
    return longest


@compiled
def log_logistic(x):
    """log(1 / (1 + exp(-x))), without overflow."""
    return min(x, np.float32(0)) - np.log1p(np.exp(-abs(x)))


def keep_probabilities(counts: NDArray[np.int64], sample: float, total: int | None = None) -> NDArray[np.float32]:
    """The probability that an occurrence of each word is kept: [V].

        min(1, (sqrt(f / sample) + 1) sample / f),    f the word's share of the corpus;    1 if `sample` is 0

    Args:
        counts: [V] occurrences.
        sample: the share above which words are partly left out.
        total: tokens of the corpus; None for the sum of the counts.

    Source: the program word2vec; its paper leaves out a word with probability 1 - sqrt(sample / f).
    """
    if sample == 0:
        return np.ones(len(counts), dtype=np.float32)
    share = counts / (counts.sum() if total is None else total)
    return np.minimum(1, (np.sqrt(share / sample) + 1) * sample / share).astype(np.float32)


def alias_table(weights: NDArray) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Thresholds [V] and aliases [V] to draw rows by their weights in constant time.

    Draw a row uniformly, keep it with the probability of its threshold, and else take its alias.

    Source: Walker 1977; Vose 1991.
    """
    scaled = np.asarray(weights, dtype=np.float64) / np.sum(weights) * len(weights)
    threshold, alias = np.ones(len(scaled)), np.arange(len(scaled))
    small, large = (np.flatnonzero(side).tolist() for side in (scaled < 1, scaled >= 1))
    while small and large:
        low, high = small.pop(), large.pop()
        threshold[low], alias[low] = scaled[low], high
        scaled[high] -= 1 - scaled[low]
        (small if scaled[high] < 1 else large).append(high)
    return threshold.astype(np.float32), alias.astype(np.int32)
