"""How often words occur in each other's contexts, within a language and across two: three sparse matrices, made once.

The matrix that is factorised is linear in the weights of the two kinds of context across languages,

    M(lambda, mu) = own + lambda windows + mu sentences        [n + t, n + t]

so a sweep over them counts once. For a word w at position i of a sentence, x adds to

    own[w, x]        1 / |i - k|   for x at k, at most K positions from i
    sentences[w, x]  1             for every x of the parallel sentence
    windows[w, x]    1 / |j - k|   for every word at j of the parallel sentence that shares a character with w, and x at
                                   k != j, at most K positions from j
    matched[w, x]    1             for x = the word at j itself; it counts as a part of `windows` with `include_match`

Source: Wang et al. 2018, eq. (1), (2), (4), (8) and (9); the weights 1 / distance and k != j are those of the authors'
program, eq. (9) has plain counts and eq. (1) includes k = j.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.systems.cjc.character_matching import token_matches
from repline.systems.cjc.corpus import Side


class ContextCounts(NamedTuple):
    """Sparse float64 matrices [n + t, n + t]."""

    own: sparse.csr_array
    windows: sparse.csr_array
    matched: sparse.csr_array
    sentences: sparse.csr_array

    def combined(self, *, matching: float, parallel: float, include_match: bool = False) -> sparse.csr_array:
        """M(lambda, mu) for lambda = `matching`, mu = `parallel`."""
        total = self.own.copy()
        if matching:
            total = total + matching * (self.windows + self.matched if include_match else self.windows)
        if parallel:
            total = total + parallel * self.sentences
        total.sort_indices()
        return total


def count_contexts(
    first: Side,
    second: Side,
    matches: sparse.csr_array,
    *,
    window: int,
    distance_weight: bool = True,
    shuffle: int | None = None,
) -> ContextCounts:
    """Count all contexts of a bitext, without a loop over tokens.

    Args:
        first, second: as many sentences on both sides, words numbered 0..n-1 and n..n+t-1.
        matches: bool [n, t], which words share a character.
        window: K.
        distance_weight: weigh a neighbour by 1 / its distance; else each counts 1.
        shuffle: a seed; instead of each matching token of the second side, one that is drawn from its sentence: as many
            matches, but without a meaning. A control.
    """
    words = sum(matches.shape)
    tokens = [_tokens(one, words) for one in (first, second)]
    around = [_around(one, words, window, distance_weight) for one in (first, second)]
    own = sum(of.T.tocsr() @ near for of, near in zip(tokens, around, strict=True))
    i, j = token_matches(first, second, matches)
    if shuffle is not None:
        starts, stops = (second.offsets[second.sentences[j] + end] for end in (0, 1))
        j = np.random.default_rng(shuffle).integers(starts, stops)
    windows = _matching(first.ids[i], j, tokens[1]) @ around[1] + _matching(second.ids[j], i, tokens[0]) @ around[0]
    matched = _matching(first.ids[i], j, tokens[1]) @ tokens[1]
    of_first, of_second = (_sentences(one, words) for one in (first, second))
    across = of_first.T.tocsr() @ of_second
    found = ContextCounts(own, windows, matched + matched.T, across + across.T)
    for part in found:
        part.eliminate_zeros()
    return found


def _tokens(one: Side, words: int) -> sparse.csr_array:
    """[T, words] one at the word of each token."""
    size = len(one.ids)
    return sparse.csr_array((np.ones(size), one.ids, np.arange(size + 1)), shape=(size, words))


def _sentences(one: Side, words: int) -> sparse.csr_array:
    """[sentences, words] how often each word occurs in each sentence."""
    return sparse.csr_array((np.ones(len(one.ids)), one.ids, one.offsets), shape=(len(one.offsets) - 1, words))


def _around(one: Side, words: int, window: int, distance_weight: bool) -> sparse.csr_array:
    """[T, words] the weights of the words around each token: 2 K entries a row, zeros beyond the sentence's ends."""
    size, sentences = len(one.ids), one.sentences
    indices, data = np.zeros((size, 2 * window), one.ids.dtype), np.zeros((size, 2 * window))
    for distance in range(1, min(window, size - 1) + 1):
        left = np.flatnonzero(sentences[:-distance] == sentences[distance:])
        weight = 1 / distance if distance_weight else 1.0
        for column, (places, others) in enumerate(((left, left + distance), (left + distance, left))):
            indices[places, 2 * distance - 2 + column] = one.ids[others]
            data[places, 2 * distance - 2 + column] = weight
    rows = np.arange(size + 1) * 2 * window
    return sparse.csr_array((data.ravel(), indices.ravel(), rows), shape=(size, words))


def _matching(ids: NDArray, places: NDArray, tokens: sparse.csr_array) -> sparse.csr_array:
    """[words, T] one where a token of the other side matches a token of the word."""
    size, words = tokens.shape
    return sparse.coo_array((np.ones(len(ids)), (ids, places)), shape=(words, size)).tocsr()
