"""One pass of MIRA over trees, compiled.

For each sentence: decode y' = argmax score(y) + Hamming(y, gold), and where it is not the gold tree

    delta = f(gold) - f(y'),   alpha = min(C, (Hamming(y', gold) - w delta) / |delta|^2),   w += alpha delta

The average is the mean of w over all updates.

Source: Crammer and Singer (2003); McDonald et al. (2005); the authors' code for C and the average.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK
from repline.systems.context_parser.arc_scores import FAMILIES, sentence_scores
from repline.systems.context_parser.features import ALL, MAX_FEATURES, NO_RELATION, arc_features
from repline.systems.context_parser.spanning_tree import best_tree
from repline.systems.context_parser.sparse_weights import FREE, slot, with_doubled_capacity


@njit(cache=ON_DISK)
def mira_update(
    keys: NDArray[np.int64],
    values: NDArray[np.float64],
    sums: NDArray[np.float64],
    used: int,
    updates: int,
    encoded: NDArray[np.int64],
    related: NDArray[np.uint8],
    gold: NDArray[np.int64],
    c: float,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], int, int, float]:
    """Learn from one sentence.

    Args:
        keys, values, sums: the table of weights w, and for each of them the sum from which its mean comes.
        used: features in the table.
        updates: so far.
        encoded: [4, n + 1], as in `features.arc_features`.
        related: [n + 1, n + 1] bits of the kinds of relations between words.
        gold: [n + 1] heads.

    Returns:
        the table, which may have grown; used, updates; and alpha, 0 where nothing was learned.
    """
    size = len(gold)
    scores = sentence_scores(keys, values, encoded, related, 1.0)
    cost = np.ones((size, size))
    for m in range(1, size):
        cost[gold[m], m] = 0.0
    heads, _ = best_tree(scores + cost)
    wrong, margin = np.int64(0), 0.0
    for m in range(1, size):
        if heads[m] != gold[m]:
            wrong += 1
            margin += scores[gold[m], m] - scores[heads[m], m]
    if wrong == 0:
        return keys, values, sums, used, updates, 0.0
    features, signs = _difference(encoded, related, gold, heads, wrong)
    length = 0.0
    for sign in signs:
        length += sign * sign
    if length == 0.0:
        return keys, values, sums, used, updates, 0.0
    # a gold "tree" with a cycle, as some data have, can be worse than its cost: nothing is learned from it then
    alpha = min(c, max(0.0, (wrong - margin) / length))
    for index in range(len(features)):
        if signs[index] == 0.0:
            continue
        if 2 * (used + 1) > len(keys):
            keys, values, sums = with_doubled_capacity(keys, values, sums)
        entry = slot(keys, features[index])
        if keys[entry] == FREE:
            keys[entry] = features[index]
            used += 1
        values[entry] += alpha * signs[index]
        sums[entry] += updates * alpha * signs[index]
    return keys, values, sums, used, updates + 1, alpha


@njit(cache=ON_DISK)
def _difference(encoded, related, gold, heads, wrong):
    """The features of the gold tree minus those of another one: each feature once, with its count."""
    collected = np.empty(2 * wrong * (FAMILIES + 1) * MAX_FEATURES, np.int64)
    signed = np.empty(len(collected), np.int8)
    count = 0
    for m in range(1, len(gold)):
        if heads[m] == gold[m]:
            continue
        for side in range(2):
            h = gold[m] if side == 0 else heads[m]
            start = count
            count += arc_features(encoded, h, m, NO_RELATION, ALL[0], ALL[1], collected[count:])
            for kind in range(FAMILIES):
                if related[h, m] & (1 << kind):
                    count += arc_features(encoded, h, m, kind + 1, ALL[0], ALL[1], collected[count:])
            signed[start:count] = 1 if side == 0 else -1
    order = np.argsort(collected[:count])
    features = np.empty(count, np.int64)
    signs = np.zeros(count)
    different = 0
    for index in range(count):
        key = collected[order[index]]
        if different == 0 or features[different - 1] != key:
            features[different] = key
            different += 1
        signs[different - 1] += signed[order[index]]
    return features[:different], signs[:different]
