"""How often words occur in each other's contexts, within a language and across two: sparse matrices, for all weights.

    M(λ, μ) = own + λ windows + μ sentences

    own[w, x]       += 1 / |i - k|   for x at k, at most K positions from w at i in its sentence
    windows[w, x]   += 1 / |j - k|   for every word at j of the parallel sentence that shares a character with w, and x
                                     at k != j, at most K positions from j
    matched[w, x]   += 1             for x = the word at j itself; a part of `windows` with `include_match`
    sentences[w, x] += 1             for every x of the parallel sentence

M is linear in the weights λ and μ of the two kinds of context across languages, so a sweep over them counts once. The
weights 1 / distance and k != j are those of the authors' program: equation 9 has plain counts, equation 1 has k = j.

Notation: n words of the first and t of the second language, numbered through; all matrices are `ContextCounts`
[n + t, n + t]. K is `window`, λ `matching`, μ `parallel`, M `combined(matching, parallel)`.

Words that share a character lie in `repline.systems.cjc.character_matching`, windows in `repline.vectors.windows`, the
factorisation of M in `repline.vectors.glove`.

Source: Wang et al. 2018, equations 1, 2, 4, 8 and 9.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.systems.cjc.character_matching import token_matches
from repline.systems.cjc.parallel_sentences import Side
from repline.vectors.windows import around, stretches


class ContextCounts(NamedTuple):
    """Sparse float64 matrices [n + t, n + t]."""

    own: sparse.csr_array
    windows: sparse.csr_array
    matched: sparse.csr_array
    sentences: sparse.csr_array

    def combined(self, matching: float, parallel: float, include_match: bool = False) -> sparse.csr_array:
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
    sides = (first, second)
    ids = np.concatenate([side.ids for side in sides])
    sentences = np.concatenate([first.sentences, second.sentences + len(first.offsets)])
    tokens = stretches(ids, np.arange(len(ids) + 1), words)
    neighbourhoods = around(ids, sentences, words, window, distance_weight)
    i, j = token_matches(first, second, matches)
    if shuffle is not None:
        starts, stops = (second.offsets[second.sentences[j] + end] for end in (0, 1))
        j = np.random.default_rng(shuffle).integers(starts, stops)
    matching = _matching(sides, i, j, words)
    token_contexts, windows, matched = tokens.T.tocsr() @ neighbourhoods, matching @ neighbourhoods, matching @ tokens
    first_stretches, second_stretches = (stretches(side.ids, side.offsets, words) for side in sides)
    first_sentences, second_sentences = (
        sparse.vstack([first_stretches, second_stretches]),
        sparse.vstack([second_stretches, first_stretches]),
    )
    counts = ContextCounts(token_contexts, windows, matched, first_sentences.T.tocsr() @ second_sentences)
    for part in counts:
        part.eliminate_zeros()
    return counts


def _matching(sides: tuple[Side, Side], i: NDArray, j: NDArray, words: int) -> sparse.csr_array:
    """[words, T of both] one where a token of the other side matches a token of the word."""
    first, second = sides
    rows = np.concatenate([first.ids[i], second.ids[j]])
    columns = np.concatenate([len(first.ids) + j, i])
    shape = (words, len(first.ids) + len(second.ids))
    return sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=shape).tocsr()
