"""Sentences as random walks, and the weights of words that follow: those of SIF and of uSIF.

A sentence is produced by the random walk of its discourse vector c: each word by chance, in proportion to its
frequency, or by how near it is to c. With the log-linear nearness exp⟨c, v⟩ of SIF the length of word vectors confounds
the probability of a sentence; with the angular nearness of uSIF it does not, and the constant of the weights follows
from the vocabulary instead of being tuned.

Source: Ethayarajh 2018, *Unsupervised Random Walk Sentence Embeddings: A Strong but Simple Baseline*; Arora, Liang &
Ma 2017, *A Simple but Tough-to-Beat Baseline for Sentence Embeddings* (SIF).
"""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from repline.errors import InputError, Notice, shown

SIF_SMOOTHING = 1e-3  # the default of Arora et al. 2017


def angular_similarity(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How near two directions are: 1 the same, 1/2 orthogonal, 0 opposite; lengths do not matter.

        d(x, y) = 1 - arccos(cos(x, y)) / π

    Args:
        x, y: [..., d], broadcast against each other; no vector is zero.

    Returns:
        float64 [...], in [0, 1].

    Source: Ethayarajh 2018, eq. 7.
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    y = y / np.linalg.norm(y, axis=-1, keepdims=True)
    # arccos of a rounded cosine is off by 1e-8 near 0 and π, the angle of the half chords is not
    chord, sum_ = np.linalg.norm(x - y, axis=-1), np.linalg.norm(x + y, axis=-1)
    return 1 - 2 * np.arctan2(chord, sum_) / np.pi


def log_linear_score(c: np.ndarray, words: np.ndarray) -> float:
    """log of what p(sentence | c) is proportional to in the log-linear model of SIF: Σ_w ⟨c, v_w⟩.

    Args:
        c: [d]; words: [n, d], the vectors of the sentence's words.

    Source: Arora et al. 2017; Ethayarajh 2018, eq. 1 and 6.
    """
    return float((np.asarray(words) @ np.asarray(c)).sum())


def angular_score(c: np.ndarray, words: np.ndarray) -> float:
    """What p(sentence | c) is proportional to in the angular model of uSIF: Π_w d(c, v_w), see `angular_similarity`.

    Args:
        c: [d]; words: [n, d], the vectors of the sentence's words.

    Source: Ethayarajh 2018, section 3.2.
    """
    return float(angular_similarity(np.asarray(c), np.asarray(words)).prod())


@dataclass(frozen=True)
class Constants:
    """The constants that SIF tunes and uSIF computes: see `derive`."""

    vocabulary: int  # |V| of the counts
    length: int  # n
    threshold: float  # the chance that a random word is produced in n steps
    above: int  # words that are more frequent
    alpha: float
    partition: float  # Z
    a: float  # infinite when no word is above the threshold


def derive(probabilities: np.ndarray, length: int) -> Constants:
    """The constants of the weights, from the vocabulary and the sentence length alone.

        Z = |V| / 2
        threshold = 1 - (1 - 1/|V|)^n
        α = #{w : p(w) > threshold} / |V|
        a = (1 - α) / (α Z)

    Args:
        probabilities: p(w) of every word of the counts, [V].
        length: n, the average sentence length in words, a positive whole number.

    Returns:
        the constants; a is infinite, with a warning, when no word is above the threshold: the weights are then 2.

    Raises:
        InputError: a length below 1, no words, or every word above the threshold (a would be 0).

    Source: Ethayarajh 2018, eq. 10 and 11.
    """
    probabilities = np.asarray(probabilities, dtype=np.float64)
    vocabulary = len(probabilities)
    if length < 1 or length != int(length):
        raise InputError(f"the sentence length n should be a positive whole number, found {shown(length)}")
    if vocabulary < 1:
        raise InputError("the constants of uSIF need the counts of at least one word, found none")
    threshold = -math.expm1(length * math.log1p(-1 / vocabulary)) if vocabulary > 1 else 1.0
    above = int((probabilities > threshold).sum())
    if above == vocabulary:
        raise InputError(
            f"every one of the {vocabulary} words is more frequent than {threshold:.3g}, so that a would be 0; "
            "uSIF needs the counts of a whole vocabulary, rare words too"
        )
    alpha, partition = above / vocabulary, vocabulary / 2
    if above == 0:
        warnings.warn(
            f"no word is more frequent than {threshold:.3g}, so that a is infinite and every word weighs 2; "
            "the counts are too few or the sentences too long",
            Notice,
            stacklevel=2,
        )
    a = (1 - alpha) / (alpha * partition) if above else math.inf
    return Constants(vocabulary, int(length), threshold, above, alpha, partition, a)


def usif_weights(p: np.ndarray, a: float) -> np.ndarray:
    """The weight of words: a / (p + a/2), from 2 for the rarest down; 2 for all when a is infinite. [...] -> [...]

    Source: Ethayarajh 2018, eq. 9.
    """
    p = np.asarray(p, dtype=np.float64)
    return np.full_like(p, 2.0) if math.isinf(a) else a / (p + a / 2)


def sif_weights(p: np.ndarray, a: float = SIF_SMOOTHING) -> np.ndarray:
    """The weight of words in SIF: a / (a + p), with a tuned. [...] -> [...]

    Source: Arora et al. 2017.
    """
    return a / (a + np.asarray(p, dtype=np.float64))


def word_probabilities(words: Sequence[str], counted: Sequence[str], counts: np.ndarray) -> np.ndarray:
    """p(w) of each of `words`: its count over the sum of counts; an uncounted word has the smallest p of the counted.

    Args:
        words: [M], the vocabulary of the vectors.
        counted: [V] distinct words; counts: [V], positive.

    Returns:
        float64 [M].
    """
    counts = np.asarray(counts, dtype=np.float64)
    if not len(counts) or counts.min() <= 0:
        raise InputError("word probabilities need positive counts of at least one word")
    probability_by_word = dict(zip(counted, (counts / counts.sum()).tolist(), strict=True))
    smallest = float(counts.min() / counts.sum())
    return np.fromiter(map(probability_by_word.get, words, repeat(smallest)), dtype=np.float64, count=len(words))
