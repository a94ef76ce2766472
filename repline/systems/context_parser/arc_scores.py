"""Scores of arcs, linguistic and of the context, compiled.

Source: Rekaby Salama et al. (2018), Eq. 1: sum over arcs of w_l f(h, m) + lambda w_c g(h, m, references).
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from repline.systems.context_parser.features import MOST_FEATURES, arc_features
from repline.systems.context_parser.sparse_weights import FREE, slot

FAMILIES = 8


@njit(cache=True)
def arc_score(
    keys: NDArray[np.int64],
    values: NDArray[np.float64],
    encoded: NDArray[np.int64],
    h: int,
    m: int,
    family: int,
    out: NDArray[np.int64],
) -> float:
    """w f(h, m) of one family of features, before lambda.

    Args:
        keys, values: a table of weights.
        encoded: [4, n + 1], as in `features.arc_features`.
        out: room for the features.
    """
    total = 0.0
    for place in range(arc_features(encoded, h, m, family, out)):
        found = slot(keys, out[place])
        if keys[found] != FREE:
            total += values[found]
    return total


@njit(cache=True)
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
    out = np.empty(MOST_FEATURES, np.int64)
    scores = np.zeros((size, size))
    for h in range(size):
        for m in range(1, size):
            if h != m:
                scores[h, m] = arc_score(keys, values, encoded, h, m, 0, out)
                for kind in range(FAMILIES):
                    if related[h, m] & (1 << kind):
                        scores[h, m] += weight * arc_score(keys, values, encoded, h, m, kind + 1, out)
    return scores


@njit(cache=True)
def completion_tables(
    keys: NDArray[np.int64],
    values: NDArray[np.float64],
    encoded: NDArray[np.int64],
    gap: int,
    names: NDArray[np.int64],
    gap_tags: NDArray[np.int64],
    gap_coarse: NDArray[np.int64],
    places: NDArray[np.int64],
    needed: NDArray[np.uint8],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The scores of all arcs for every name and tag that may stand in a gap.

    Arcs that have the gap neither at an end, nor beside an end, nor between their ends are the same for all of them;
    those that have it between their ends alone are the same for all names.

    Args:
        encoded: [4, n + 1]; what it says of the gap is written over.
        gap: its place.
        names: [N], numbers of words, that may stand in the gap as form and lemma.
        gap_tags, gap_coarse: [P], that it may have.
        places: [R], of the words that may refer to something.
        needed: [N, R, R] bits: the kinds of relations that may hold between two of these places.

    Returns:
        linguistic scores [N, P, n + 1, n + 1] and, before lambda, context scores [N, P, R, R, 8].
    """
    size, referring = encoded.shape[1], len(places)
    out = np.empty(MOST_FEATURES, np.int64)
    linguistic = np.zeros((len(names), len(gap_tags), size, size))
    context = np.zeros((len(names), len(gap_tags), referring, referring, FAMILIES))
    for name in range(len(names)):
        encoded[0, gap] = encoded[1, gap] = names[name]
        for p in range(len(gap_tags)):
            encoded[2, gap], encoded[3, gap] = gap_tags[p], gap_coarse[p]
            scores = linguistic[name, p]
            for h in range(size):
                for m in range(1, size):
                    if h == m:
                        continue
                    near = abs(h - gap) <= 1 or abs(m - gap) <= 1
                    between = min(h, m) < gap < max(h, m)
                    if near or (name == 0 and (between or p == 0)):
                        scores[h, m] = arc_score(keys, values, encoded, h, m, 0, out)
                    else:
                        scores[h, m] = linguistic[0, p if between else 0, h, m]
            for one in range(referring):
                for other in range(referring):
                    bits = needed[name, one, other]
                    for kind in range(FAMILIES):
                        if bits & (1 << kind) and one != other:
                            context[name, p, one, other, kind] = arc_score(
                                keys, values, encoded, places[one], places[other], kind + 1, out
                            )
    return linguistic, context
