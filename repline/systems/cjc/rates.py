"""Rates: how far up the right item stands among all candidates, for synonyms and sentences.

    rate = (1 - (rank - 1) / N) * 100 %,   rank = 1 + how many of the N candidates have a greater cosine

A random embedding has 50 %. As rates saturate, the shares of rank 1 and of rank 10 or better are given too. Every
test gives its scores item by item, so that resampled items need no new ranks.

Source: Wang et al. 2018, section 5.1, eq. (10).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.replication.weighted_draws import mean_of_draws
from repline.vectors.normalisation import unit_length

Means = dict[str, NDArray[np.float64]]  # rate, p1, p10: [R], a number for each row of weights
BLOCK = 1024  # queries at a time
SCORES = ("rate", "p1", "p10")
DIRECTIONS = ("forth", "back")  # from the first language to the second, and from the second to the first


def ranks(
    queries: NDArray,
    candidates: NDArray,
    answers: NDArray,
    excluded: Sequence[Sequence[int]] | None = None,
) -> NDArray[np.int64]:
    """The rank of the correct candidate of each query by cosine, from 1 on [m].

    A query of zeros, as of a text without a known word, says nothing: its answer has the middle rank.

    Args:
        queries: [m, d], candidates: [N, d]; of any length.
        answers: [m], the row of the correct candidate of each query.
        excluded: for each query, rows of candidates that do not count (the words of the question).
    """
    queries, candidates = unit_length(np.asarray(queries)), unit_length(np.asarray(candidates))
    positions = np.empty(len(queries), np.int64)
    for start in range(0, len(queries), BLOCK):
        cosines = queries[start : start + BLOCK] @ candidates.T  # [block, N]
        correct = cosines[np.arange(len(cosines)), answers[start : start + BLOCK]]
        if excluded is not None:
            for row, words in enumerate(excluded[start : start + BLOCK]):
                cosines[row, list(words)] = -np.inf
        positions[start : start + BLOCK] = 1 + (cosines > correct[:, None]).sum(axis=1)
        says_nothing = ~queries[start : start + BLOCK].any(axis=1)
        positions[start : start + BLOCK][says_nothing] = ((cosines > -np.inf).sum(axis=1)[says_nothing] + 1) // 2
    return positions


def scores(ranks: NDArray, candidates: int | NDArray) -> NDArray[np.float64]:
    """Ranks [...] among a number of candidates as rate, P@1 and P@10, in per cent [..., 3]."""
    ranks = np.asarray(ranks)
    return 100 * np.stack([1 - (ranks - 1) / candidates, ranks <= 1, ranks <= 10], axis=-1)


def named(item_scores: NDArray, weights: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
    """The means of the scores of some items under each row of weights, by their names: [R] each, NaN without an item.

    Args:
        item_scores: [m, ..., 3]; of an item with several scores their mean counts.
        weights: [R, m], how often each item counts, as of `repline.evaluation.replication.weighted_draws`.
    """
    rows = item_scores.mean(axis=tuple(range(1, item_scores.ndim - 1)))  # [m, 3]
    return {name: mean_of_draws(rows[:, column], weights) for column, name in enumerate(SCORES)}


def synonym_scores(vectors: NDArray, n: int, pairs: NDArray) -> NDArray[np.float64]:
    """The scores of pairs of words, each looked up among all words of the other language [m, 2 directions, 3].

    Args:
        vectors: [n + t, d].
        pairs: [m, 2] word numbers, of the first and of the second language.
    """
    first, second = vectors[:n], vectors[n:]
    word, translation = pairs.reshape(-1, 2)[:, 0], pairs.reshape(-1, 2)[:, 1] - n
    forth = scores(ranks(first[word], second, translation), len(second))
    back = scores(ranks(second[translation], first, word), len(first))
    return np.stack([forth, back], axis=1)


def synonyms(pair_scores: NDArray, sharing: NDArray[np.bool_], weights: NDArray[np.int64]) -> dict[str, Means]:
    """The means of `synonym_scores`: of each direction and of both, of pairs that share a character and of others."""
    return directions(pair_scores, weights) | {
        "sharing": named(pair_scores[sharing], weights[:, sharing]),
        "not_sharing": named(pair_scores[~sharing], weights[:, ~sharing]),
    }


def directions(item_scores: NDArray, weights: NDArray[np.int64]) -> dict[str, Means]:
    """The means of scores [m, 2 directions, 3] under weights [R, m]: forth, back, and both."""
    means = {name: named(item_scores[:, side], weights) for side, name in enumerate(DIRECTIONS)}
    return means | {"both": named(item_scores, weights)}


def alignment_scores(vectors: NDArray, first: Sequence[NDArray], second: Sequence[NDArray]) -> NDArray[np.float64]:
    """The scores of parallel sentences, each looked up among all of the other language [S, 2 directions, 3].

    Args:
        vectors: [n + t, d].
        first, second: the word numbers of each sentence; other words are left out.
    """
    sides = [sentence_vectors(sentences, vectors) for sentences in (first, second)]
    answers = np.arange(len(first))
    both = ranks(sides[0], sides[1], answers), ranks(sides[1], sides[0], answers)
    return np.stack([scores(direction, len(first)) for direction in both], axis=1)


def sentence_vectors(sentences: Sequence[NDArray], vectors: NDArray) -> NDArray[np.float64]:
    """The mean vector of each sentence's words [S, d]; of a sentence without any, zeros."""
    means = np.zeros((len(sentences), vectors.shape[1]))
    for row, ids in enumerate(sentences):
        if len(ids):
            means[row] = vectors[ids].mean(axis=0)
    return means
