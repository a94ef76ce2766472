"""Scores of arcs, linguistic and of the context, compiled.

Source: Rekaby Salama et al. (2018), Eq. 1: sum over arcs of w_l f(h, m) + lambda w_c g(h, m, references).
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK
from repline.systems.context_parser.features import ALL, BOTH, MAX_FEATURES, NO_RELATION, TAGS, WORDS, arc_features
from repline.systems.context_parser.sparse_weights import FREE, slot

FAMILIES = 8


@njit(cache=ON_DISK)
def arc_score(
    keys: NDArray[np.int64],
    values: NDArray[np.float64],
    encoded: NDArray[np.int64],
    h: int,
    m: int,
    family: int | np.int64,
    templates: tuple[np.int64, np.int64],
    out: NDArray[np.int64],
) -> float:
    """w f(h, m) of one family of features and some of its templates, before lambda.

    Args:
        keys, values: a table of weights.
        encoded, family, templates: as in `features.arc_features`.
        out: room for the features.
    """
    total = 0.0
    for index in range(arc_features(encoded, h, m, family, templates[0], templates[1], out)):
        entry = slot(keys, out[index])
        if keys[entry] != FREE:
            total += values[entry]
    return total


@njit(cache=ON_DISK)
def sentence_scores(
    keys: NDArray[np.int64],
    values: NDArray[np.float64],
    encoded: NDArray[np.int64],
    related: NDArray[np.uint8],
    weight: float,
) -> NDArray[np.float64]:
    """[n + 1, n + 1]: the scores of the arcs from row to column; 0 on the diagonal and in column 0.

    Args:
        related: [n + 1, n + 1] bits of the kinds of relations between words.
        weight: lambda.
    """
    size = encoded.shape[1]
    out = np.empty(MAX_FEATURES, np.int64)
    scores = np.zeros((size, size))
    for h in range(size):
        for m in range(1, size):
            if h != m:
                scores[h, m] = (
                    arc_score(keys, values, encoded, h, m, NO_RELATION, TAGS, out)
                    + arc_score(keys, values, encoded, h, m, NO_RELATION, WORDS, out)
                    + arc_score(keys, values, encoded, h, m, NO_RELATION, BOTH, out)
                )
                for kind in range(FAMILIES):
                    if related[h, m] & (1 << kind):
                        scores[h, m] += weight * arc_score(keys, values, encoded, h, m, kind + 1, ALL, out)
    return scores


@njit(cache=ON_DISK)
def linguistic_tables(
    keys: NDArray[np.int64],
    values: NDArray[np.float64],
    encoded: NDArray[np.int64],
    gap: int,
    names: NDArray[np.int64],
    gap_tags: NDArray[np.int64],
    gap_coarse: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The linguistic scores of all arcs for every name and tag that may stand in a gap.

    A score has three parts. That of tags alone changes with the tag, where the gap is at an end, next to an end or
    between the ends; that of words alone with the name, where it is at an end or next to one; that of both with either,
    where it is at an end.

    Args:
        encoded: [4, n + 1]; what it says of the gap is written over.
        gap: its position.
        names: [N], numbers of words, that may stand in the gap as form and lemma.
        gap_tags, gap_coarse: [P], that it may have.

    Returns:
        [N, P, n + 1, n + 1]; what a name has does not depend on the other names.
    """
    size = encoded.shape[1]
    out = np.empty(MAX_FEATURES, np.int64)
    tag_table = np.zeros((len(gap_tags), size, size))
    word_table = np.zeros((len(names), size, size))
    gap_table = np.zeros((size, size))
    linguistic = np.zeros((len(names), len(gap_tags), size, size))
    for name in range(len(names)):
        encoded[0, gap] = encoded[1, gap] = names[name]
        for p in range(len(gap_tags)):
            encoded[2, gap], encoded[3, gap] = gap_tags[p], gap_coarse[p]
            for h in range(size):
                for m in range(1, size):
                    if h == m:
                        continue
                    near = abs(h - gap) <= 1 or abs(m - gap) <= 1
                    if name == 0:
                        if p == 0 or near or min(h, m) < gap < max(h, m):
                            tag_table[p, h, m] = arc_score(keys, values, encoded, h, m, NO_RELATION, TAGS, out)
                        else:
                            tag_table[p, h, m] = tag_table[0, h, m]
                    if p == 0:
                        if name == 0 or near:
                            word_table[name, h, m] = arc_score(keys, values, encoded, h, m, NO_RELATION, WORDS, out)
                        else:
                            word_table[name, h, m] = word_table[0, h, m]
                    if h == gap or m == gap or (name == 0 and p == 0):
                        gap_table[h, m] = arc_score(keys, values, encoded, h, m, NO_RELATION, BOTH, out)
                    linguistic[name, p, h, m] = tag_table[p, h, m] + word_table[name, h, m] + gap_table[h, m]
    return linguistic


@njit(cache=ON_DISK)
def context_tables(
    keys: NDArray[np.int64],
    values: NDArray[np.float64],
    encoded: NDArray[np.int64],
    gap: int,
    names: NDArray[np.int64],
    gap_tags: NDArray[np.int64],
    gap_coarse: NDArray[np.int64],
    word_positions: NDArray[np.int64],
    needed: NDArray[np.uint8],
) -> NDArray[np.float64]:
    """The context scores of arcs between words that may refer to something, before lambda.

    Args:
        word_positions: [R], of these words.
        needed: [N, R, R] bits: the kinds of relations that may hold between two of these words.
        others: as of `linguistic_tables`.

    Returns:
        [N, P, R, R, 8].
    """
    referring = len(word_positions)
    out = np.empty(MAX_FEATURES, np.int64)
    context = np.zeros((len(names), len(gap_tags), referring, referring, FAMILIES))
    for name in range(len(names)):
        encoded[0, gap] = encoded[1, gap] = names[name]
        for p in range(len(gap_tags)):
            encoded[2, gap], encoded[3, gap] = gap_tags[p], gap_coarse[p]
            for row in range(referring):
                for column in range(referring):
                    h, m = word_positions[row], word_positions[column]
                    near = abs(h - gap) <= 1 or abs(m - gap) <= 1
                    bits = needed[name, row, column]
                    # features see a name from an end or next to it, and a tag from between the ends, too
                    like_name = 0 if not near and bits == needed[0, row, column] else name
                    like_tag = 0 if not near and not min(h, m) < gap < max(h, m) else p
                    if like_name < name or like_tag < p:
                        for kind in range(FAMILIES):
                            context[name, p, row, column, kind] = context[like_name, like_tag, row, column, kind]
                        continue
                    for kind in range(FAMILIES):
                        if bits & (1 << kind) and row != column:
                            context[name, p, row, column, kind] = arc_score(
                                keys, values, encoded, h, m, kind + 1, ALL, out
                            )
    return context
