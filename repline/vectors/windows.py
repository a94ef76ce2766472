"""The words around each token of a text in memory, as sparse matrices whose products are co-occurrence counts."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


def stretches(ids: NDArray, offsets: NDArray, words: int) -> sparse.csr_array:
    """Counts of each word in each stretch of a list of words: [len(offsets) - 1, words].

    Args:
        ids: [T] words.
        offsets: where each stretch begins, and the end of the last.
        words: size of the vocabulary.
    """
    index = _index(len(ids))
    return sparse.csr_array(
        (np.ones(len(ids)), ids.astype(index), offsets.astype(index)), shape=(len(offsets) - 1, words)
    )


def around(ids: NDArray, sentences: NDArray, words: int, window: int, distance_weight: bool) -> sparse.csr_array:
    """Weights of the words around each token, [T, words]: 2 K entries a row, zeros beyond its sentence.

    Args:
        ids: [T] the words of all sentences, one sentence after the other.
        sentences: [T] the sentence of each.
        window: K.
        distance_weight: weigh a neighbour by 1 / its distance; else each counts 1.
    """
    index = _index(2 * window * len(ids))
    indices, data = np.zeros((len(ids), 2 * window), index), np.zeros((len(ids), 2 * window))
    for distance in range(1, min(window, len(ids) - 1) + 1):
        weights = (sentences[:-distance] == sentences[distance:]) * (1 / distance if distance_weight else 1.0)
        column = 2 * distance - 2
        indices[:-distance, column], indices[distance:, column + 1] = ids[distance:], ids[:-distance]
        data[:-distance, column], data[distance:, column + 1] = weights, weights
    rows = np.arange(len(ids) + 1, dtype=index) * index(2 * window)
    return sparse.csr_array((data.ravel(), indices.ravel(), rows), shape=(len(ids), words))


def window_counts(ids: NDArray, sentences: NDArray, words: int, window: int, block: int = 1 << 18) -> sparse.csr_array:
    """Co-occurrence counts of words at most `window` apart, each pair weighted by 1 / its distance: [words, words].

    Args:
        ids: [T] the words of all sentences; negative ids count as distance, but not as co-occurrences.
        sentences: [T] the sentence of each, ascending.
        block: about how many tokens are counted at once; memory grows with it, not with the text.

    Returns:
        a symmetric matrix without stored zeros.

    Source: Pennington et al. 2014, section 4.2.
    """
    columns = np.where(ids < 0, words, ids)  # one more word, which is dropped again
    ends = np.searchsorted(sentences, sentences[block - 1 :: block], side="right")
    counts = sparse.csr_array((words + 1, words + 1))
    for start, end in pairwise([0, *np.unique(ends).tolist(), len(ids)]):
        part = columns[start:end]
        tokens = stretches(part, np.arange(len(part) + 1), words + 1)
        counts = counts + tokens.T.tocsr() @ around(part, sentences[start:end], words + 1, window, True)
    counts = counts[:words, :words].tocsr()
    counts.eliminate_zeros()
    counts.sort_indices()
    return counts


def _index(largest: int) -> type[np.signedinteger]:
    """The integer type of the indices: int32 where it suffices, which makes products faster."""
    return np.int32 if largest < 1 << 31 else np.int64
