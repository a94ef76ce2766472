from itertools import product

import numpy as np
import pytest

from repline.reading.conllu import cycle
from repline.systems.context_parser.spanning_tree import best_tree


def by_brute_force(scores):
    """The best score over all head vectors that are trees."""
    size = len(scores)
    best = -np.inf
    for heads in product(range(size), repeat=size - 1):
        if not cycle(list(heads)):
            best = max(best, sum(scores[head, word] for word, head in enumerate(heads, start=1)))
    return best


def total(scores, heads):
    return sum(scores[head, word] for word, head in enumerate(heads.tolist()) if word)


def test_the_cycle_of_the_paper_is_not_a_tree():
    scores = np.zeros((3, 3))
    scores[0, 1], scores[0, 2], scores[1, 2], scores[2, 1] = 5, 1, 9, 10
    heads, score = best_tree(scores)
    assert heads.tolist() == [0, 0, 1] and score == 14


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_the_tree_is_the_best_of_all(size):
    random = np.random.default_rng(size)
    for _ in range(40):
        scores = random.integers(-9, 10, (size, size)).astype(float)
        heads, score = best_tree(scores)
        assert cycle(heads[1:].tolist()) == []
        assert score == total(scores, heads) == by_brute_force(scores)


def test_larger_trees_are_trees_and_as_good_in_plain_python():
    random = np.random.default_rng(0)
    nested = 0
    for _ in range(60):
        scores = random.normal(size=(15, 15))
        heads, score = best_tree(scores)
        assert cycle(heads[1:].tolist()) == []
        greedy = np.where(np.eye(15, dtype=bool), -np.inf, scores)[:, 1:].argmax(axis=0)
        nested += bool(cycle(greedy.tolist()))
        plain_heads, plain_score = best_tree.py_func(scores)
        assert heads.tolist() == plain_heads.tolist() and score == plain_score
        # no arc can be changed for a better tree
        for word in range(1, 15):
            for head in range(15):
                changed = heads.copy()
                changed[word] = head
                if not cycle(changed[1:].tolist()):
                    assert total(scores, changed) <= score + 1e-12
    assert nested > 30  # the first choice was often no tree


def test_the_best_arcs_into_the_words_are_a_bound():
    random = np.random.default_rng(1)
    for _ in range(30):
        scores = random.normal(size=(7, 7))
        without_self = np.where(np.eye(7, dtype=bool), -np.inf, scores)
        assert best_tree(scores)[1] <= without_self[:, 1:].max(axis=0).sum() + 1e-12
