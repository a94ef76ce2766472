"""The best filler of a gap among all candidates, with bounds that leave out what cannot win, compiled.

A candidate is an assignment of items to the words that refer to something, the gap among them, and a tag of the gap.
Its score is that of its best tree, which is at most the sum over the words of the best arc that enters them. So the
candidates are tried in the order of this bound, and those whose bound is below the best score so far are not tried.
Of equal scores the first candidate wins, as if all had been tried in order.

Source: Rekaby Salama et al. (2018), Algorithm 1; the bound is ours.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK
from repline.systems.context_parser.spanning_tree import best_tree

SLACK = 1e-9  # of a bound: its sum is in another order than that of a tree


@njit(cache=ON_DISK)
def relation_weights(
    context: NDArray[np.float64], bits: int, inferred: int, original_weight: float, inferred_weight: float
) -> float:
    """The score of an arc's relations: those in `bits` are original; those in `inferred` count where they are not."""
    total = 0.0
    for kind in range(len(context)):
        if bits & (1 << kind):
            total += original_weight * context[kind]
        elif inferred & (1 << kind):
            total += inferred_weight * context[kind]
    return total


@njit(cache=ON_DISK)
def assignments(items: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every choice of an item for each word in which no item comes twice; every choice where there is none of these.

    Args:
        items: of all words that refer to something, one word after the other.
        starts: [R + 1], where the items of each begin.

    Returns:
        [A, R] indices of `items`, in lexicographic order.
    """
    referring = len(starts) - 1
    for once in (True, False):
        count = 0
        choices = np.empty((1, referring), np.int64)
        for fill in (False, True):  # count them, then write them
            if fill:
                if count == 0:
                    break
                choices = np.empty((count, referring), np.int64)
                count = 0
            choice = starts[:-1].copy()
            word = 0
            while word >= 0:
                if choice[word] == starts[word + 1]:
                    choice[word] = starts[word]
                    word -= 1
                    if word >= 0:
                        choice[word] += 1
                    continue
                twice = False
                if once:
                    for earlier in range(word):
                        if items[choice[earlier]] == items[choice[word]]:
                            twice = True
                            break
                if twice:
                    choice[word] += 1
                    continue
                if word == referring - 1:
                    if fill:
                        for position in range(referring):
                            choices[count, position] = choice[position]
                    count += 1
                    choice[word] += 1
                else:
                    word += 1
        if count:
            return choices
    return np.empty((0, referring), np.int64)


@njit(cache=ON_DISK)
def best_candidate(
    linguistic: NDArray[np.float64],
    context: NDArray[np.float64],
    word_positions: NDArray[np.int64],
    items: NDArray[np.int64],
    starts: NDArray[np.int64],
    name_of_item: NDArray[np.int64],
    original: NDArray[np.uint8],
    inferred: NDArray[np.uint8],
    original_weight: float,
    inferred_weight: float,
    prune: bool,
) -> tuple[int, NDArray[np.int64], NDArray[np.int64], float, int, int]:
    """The best of all candidates.

    Args:
        linguistic, context: of `arc_scores.linguistic_tables` and `context_tables`.
        word_positions: [R], of the words that may refer to something; the gap is the first.
        items: numbers of the items they may refer to, one word after the other.
        starts: [R + 1], where those of each word begin.
        name_of_item: [I], the row of `linguistic` of an item that may fill the gap.
        original, inferred: [I, I] bits of the relations between items.
        original_weight, inferred_weight: lambda of original and of inferred relations.
        prune: whether to leave out candidates by their bounds; the answer is the same.

    Returns:
        the tag (its index), the items [R] of the winner, its heads [n + 1], its score; how many candidates there are,
        and of how many a tree was searched.
    """
    choices = assignments(items, starts)
    tags, size, referring = linguistic.shape[1], linguistic.shape[2], len(word_positions)
    refers = np.full(size, -1, np.int64)
    for position in range(referring):
        refers[word_positions[position]] = position
    # the bounds: the words without references have the same one for all items of a name
    steady = np.zeros((linguistic.shape[0], tags))
    outer = np.full((linguistic.shape[0], tags, referring), -np.inf)
    for name in range(linguistic.shape[0]):
        for tag in range(tags):
            for m in range(1, size):
                best = -np.inf
                for h in range(size):
                    if h != m and (refers[m] < 0 or refers[h] < 0):
                        best = max(best, linguistic[name, tag, h, m])
                if refers[m] < 0:
                    steady[name, tag] += best
                else:
                    outer[name, tag, refers[m]] = best
    bounds = np.empty((len(choices), tags))
    word_of = np.zeros(len(items), np.int64)
    for word in range(referring):
        word_of[starts[word] : starts[word + 1]] = word
    pairs = np.zeros((tags, len(items), len(items)))  # the score of an arc between two words that stand for two items
    for name in range(linguistic.shape[0]):
        for head_index in range(len(items)):
            if word_of[head_index] == 0 and name_of_item[items[head_index]] != name:
                continue
            for word_index in range(len(items)):
                h, m = word_of[head_index], word_of[word_index]
                if h == m or (m == 0 and name_of_item[items[word_index]] != name):
                    continue
                head_item, word_item = items[head_index], items[word_index]
                first, second = original[head_item, word_item], inferred[head_item, word_item]
                for tag in range(tags):
                    pairs[tag, head_index, word_index] = linguistic[name, tag, word_positions[h], word_positions[m]]
                    if first or second:
                        pairs[tag, head_index, word_index] += relation_weights(
                            context[name, tag, h, m], first, second, original_weight, inferred_weight
                        )
        for choice in range(len(choices)):
            item_indices = choices[choice]
            if name_of_item[items[item_indices[0]]] != name:
                continue
            for tag in range(tags):
                total = steady[name, tag]
                for m in range(referring):
                    best = outer[name, tag, m]
                    for h in range(referring):
                        if h != m:
                            best = max(best, pairs[tag, item_indices[h], item_indices[m]])
                    total += best
                bounds[choice, tag] = total
    flat = bounds.reshape(-1)
    order = np.argsort(-flat, kind="mergesort")
    winner, top, tried = -1, -np.inf, 0
    heads = np.zeros(size, np.int64)
    scores = np.empty((size, size))
    for candidate in order:
        if prune and flat[candidate] < top - SLACK:
            break
        tag = candidate % tags
        chosen_items = items[choices[candidate // tags]]
        name = name_of_item[chosen_items[0]]
        for h in range(size):
            for m in range(size):
                scores[h, m] = linguistic[name, tag, h, m]
        for h in range(referring):
            for m in range(referring):
                first, second = original[chosen_items[h], chosen_items[m]], inferred[chosen_items[h], chosen_items[m]]
                if h != m and (first or second):
                    scores[word_positions[h], word_positions[m]] += relation_weights(
                        context[name, tag, h, m], first, second, original_weight, inferred_weight
                    )
        tree, score = best_tree(scores)
        tried += 1
        if score > top or (score == top and candidate < winner):
            winner, top = candidate, score
            heads = tree
    return winner % tags, items[choices[winner // tags]], heads, top, len(flat), tried
