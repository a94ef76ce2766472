"""What every training with negative sampling draws: the words that stay, the words that are wrong, in compiled code.

Negative sampling stands for the softmax:  log P(w | h) = log s(u_w . h) + sum over drawn words n of log s(-u_n . h),
n by count^0.75, s the logistic function.

Source: Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality", eq. (4).
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

_FRACTION = np.float32(1 / (1 << 24))
LEAST_RATE = 1e-4  # of the first learning rate

compiled = njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")


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
    """In [0, 1), 24 bits."""
    return np.float32(_random(state) >> np.uint64(20)) * _FRACTION


@compiled
def below(state, limit):
    """A whole number below `limit`, of at most 2^20 or so: the bias is below 2^-24."""
    return np.int64(_random(state) % np.uint64(limit))


@compiled
def drawn_word(state, threshold, other):
    """A word by the alias method: threshold float32 [V], other int32 [V]."""
    word = below(state, len(threshold))
    return word if uniform(state) < threshold[word] else np.int64(other[word])


@compiled
def log_logistic(x):
    """log(1 / (1 + exp(-x))), without overflow."""
    return min(x, np.float32(0)) - np.log1p(np.exp(-abs(x)))


def keep_probabilities(counts: NDArray[np.int64], sample: float, total: int | None = None) -> NDArray[np.float32]:
    """[V]: min(1, (sqrt(f / sample) + 1) sample / f), f the share of a word; ones if `sample` is 0.

    Args:
        counts: [V].
        total: that the shares are of; None for the sum of the counts.

    Source: the program word2vec; its paper has 1 - sqrt(sample / f) for what is left out.
    """
    if sample == 0:
        return np.ones(len(counts), dtype=np.float32)
    share = counts / (counts.sum() if total is None else total)
    return np.minimum(1, (np.sqrt(share / sample) + 1) * sample / share).astype(np.float32)


def alias_table(weights: NDArray) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Thresholds [V] and others [V]: a row drawn evenly is kept with its threshold, and else replaced by its other.

    So rows come by their weights, in constant time.

    Source: Walker 1977; Vose 1991.
    """
    scaled = np.asarray(weights, dtype=np.float64) / np.sum(weights) * len(weights)
    threshold, other = np.ones(len(scaled)), np.arange(len(scaled))
    small, large = (np.flatnonzero(side).tolist() for side in (scaled < 1, scaled >= 1))
    while small and large:
        low, high = small.pop(), large.pop()
        threshold[low], other[low] = scaled[low], high
        scaled[high] -= 1 - scaled[low]
        (small if scaled[high] < 1 else large).append(high)
    return threshold.astype(np.float32), other.astype(np.int32)
