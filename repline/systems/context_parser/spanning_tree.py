"""The maximum spanning tree of a sentence: Chu-Liu-Edmonds, compiled.

A tree gives every word one head; words are 1 to n, the root is 0 and may have several dependents.

Source: Chu and Liu (1965), Edmonds (1967); McDonald et al. (2005) for parsing; Rekaby Salama et al. (2018), Eq. 1.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK

NEVER = -1e300  # the score of an arc that no tree has


@njit(cache=ON_DISK)
def best_tree(scores: NDArray[np.float64]) -> tuple[NDArray[np.int64], float]:
    """The heads of the tree with the largest sum of arc scores, and that sum.

    Args:
        scores: [n + 1, n + 1], of the arc from row (head) to column (word); diagonal and column 0 do not count.

    Returns:
        heads [n + 1], that of the root is 0; and the score, added up in the order of the words. Of equal heads the
        first one wins.
    """
    size = scores.shape[0]
    weight = scores.copy()
    alive = np.ones(size, np.bool_)
    heads = np.zeros(size, np.int64)
    # what stood behind an arc before a cycle became one node: the ends of the arc by level
    leaves = np.zeros((size, size), np.int64)
    enters = np.zeros((size, size), np.int64)
    cycles = np.zeros((size, size), np.int64)
    lengths = np.zeros(size, np.int64)
    inner = np.zeros((size, size), np.int64)  # the heads inside of a cycle
    level = 0
    mark = np.zeros(size, np.int64)
    while True:
        for word in range(1, size):
            if alive[word]:
                heads[word] = _best_head(weight, alive, word)
        length = _find_cycle(heads, alive, mark, cycles[level])
        if length == 0:
            break
        lengths[level] = length
        cycle = cycles[level]
        merged = cycle[0]
        inside = np.zeros(size, np.bool_)
        for index in range(length):
            inside[cycle[index]] = True
            inner[level, cycle[index]] = heads[cycle[index]]
        for outside_word in range(size):
            if not alive[outside_word] or inside[outside_word]:
                continue
            best_out, best_in = cycle[0], cycle[0]
            out, into = NEVER, NEVER
            for index in range(length):
                word = cycle[index]
                if weight[word, outside_word] > out:
                    out, best_out = weight[word, outside_word], word
                gain = weight[outside_word, word] - weight[heads[word], word]
                if gain > into:
                    into, best_in = gain, word
            leaves[level, outside_word], enters[level, outside_word] = best_out, best_in
            weight[merged, outside_word] = out
            weight[outside_word, merged] = into
        for index in range(1, length):
            alive[cycle[index]] = False
        level += 1
    while level > 0:
        level -= 1
        cycle = cycles[level]
        merged = cycle[0]
        outside = heads[merged]
        broken = enters[level, outside]
        for word in range(1, size):
            if alive[word] and word != merged and heads[word] == merged:
                heads[word] = leaves[level, word]
        for index in range(lengths[level]):
            alive[cycle[index]] = True
            heads[cycle[index]] = inner[level, cycle[index]]
        heads[broken] = outside
    total = 0.0
    for word in range(1, size):
        total += scores[heads[word], word]
    return heads, total


@njit(cache=ON_DISK)
def _best_head(weight, alive, word):
    best, score = 0, weight[0, word]
    for head in range(1, weight.shape[0]):
        if alive[head] and head != word and weight[head, word] > score:
            best, score = head, weight[head, word]
    return best


@njit(cache=ON_DISK)
def _find_cycle(heads, alive, mark, cycle):
    """Write the words of a cycle of the living nodes into `cycle`; how many there are, 0 where heads are a tree."""
    mark[:] = 0
    for start in range(1, len(heads)):
        if not alive[start] or mark[start] != 0:
            continue
        word = start
        while word != 0 and mark[word] == 0:
            mark[word] = start
            word = heads[word]
        if word != 0 and mark[word] == start:
            length, first = 0, word
            while True:
                cycle[length] = word
                length += 1
                word = heads[word]
                if word == first:
                    return length
    return 0
