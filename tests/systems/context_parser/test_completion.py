from itertools import product

import numpy as np
import pytest

from repline.systems.context_parser.completion import assignments, best_candidate, relation_weights
from repline.systems.context_parser.spanning_tree import best_tree


def chosen_items_of(choices, items, starts):
    indices = assignments(np.array(items), np.array(starts))
    assert indices.shape[1] == choices
    return [[items[index] for index in row] for row in indices.tolist()]


def test_no_item_is_used_twice():
    assert chosen_items_of(2, [0, 1, 1, 2], [0, 2, 4]) == [[0, 1], [0, 2], [1, 2]]


def test_items_are_used_twice_where_nothing_else_is_left():
    assert chosen_items_of(2, [7, 7], [0, 1, 2]) == [[7, 7]]
    assert chosen_items_of(3, [7, 7, 8, 7], [0, 1, 3, 4]) == [[7, 7, 7], [7, 8, 7]]


def test_all_choices_come_in_their_order():
    items, starts = [0, 1, 2, 3, 4, 0, 5], [0, 3, 5, 7]
    expected = [list(choice) for choice in product([0, 1, 2], [3, 4], [0, 5]) if len(set(choice)) == 3]
    assert chosen_items_of(3, items, starts) == expected


def problem(seed, words=7, referring=3, items=6, names=3, tags=2):
    """A random gap: scores of arcs, relations between items, items that the words may refer to."""
    random = np.random.default_rng(seed)
    size = words + 1
    linguistic = random.normal(size=(names, tags, size, size))
    context = random.normal(size=(names, tags, referring, referring, 8))
    positions = np.sort(random.choice(np.arange(1, size), referring, replace=False))
    many = [items, *random.integers(1, 4, referring - 1)]
    candidates = [np.arange(items), *(random.choice(items, count, replace=False) for count in many[1:])]
    relations = random.integers(0, 256, (2, items, items)).astype(np.uint8)
    relations *= (random.random((2, items, items)) < 0.4).astype(np.uint8)
    relations = relations | relations.transpose(0, 2, 1)
    return (
        *(linguistic, context, positions, np.concatenate(candidates), np.cumsum([0, *many])),
        *(random.integers(0, names, items), *relations, 5.0, 2.0),
    )


def by_brute_force(
    linguistic, context, positions, items, starts, name_of_item, original, inferred, original_weight, inferred_weight
):
    """The first of the best of all candidates, each of them searched."""
    best = None
    for row in assignments(items, starts):
        chosen_items = items[row]
        for tag in range(linguistic.shape[1]):
            name = name_of_item[chosen_items[0]]
            scores = linguistic[name, tag].copy()
            for h, m in product(range(len(positions)), repeat=2):
                for kind in range(8):
                    if h != m and original[chosen_items[h], chosen_items[m]] & (1 << kind):
                        scores[positions[h], positions[m]] += original_weight * context[name, tag, h, m, kind]
                    elif h != m and inferred[chosen_items[h], chosen_items[m]] & (1 << kind):
                        scores[positions[h], positions[m]] += inferred_weight * context[name, tag, h, m, kind]
            heads, score = best_tree(scores)
            if best is None or score > best[0] + 1e-9:
                best = (score, tag, chosen_items.tolist(), heads.tolist())
    return best


@pytest.mark.parametrize("seed", range(12))
def test_bounds_do_not_change_the_answer(seed):
    gap_problem = problem(seed)
    tag, items, heads, score, candidates, searched = best_candidate(*gap_problem, True)
    everything = best_candidate(*gap_problem, False)
    assert (tag, items.tolist(), heads.tolist(), score) == (
        *(everything[0], everything[1].tolist(), everything[2].tolist(), everything[3]),
    )
    assert everything[4] == everything[5] == candidates and searched <= candidates
    best_score, *rest = by_brute_force(*gap_problem)
    assert score == pytest.approx(best_score)
    assert [tag, items.tolist(), heads.tolist()] == rest


def test_most_candidates_need_no_search():
    searched = candidates = 0
    for seed in range(30):
        *_, all_of_them, tried = best_candidate(*problem(100 + seed), True)
        searched, candidates = searched + tried, candidates + all_of_them
    assert searched < candidates / 3


def test_of_equal_candidates_the_first_wins():
    linguistic, context, positions, items, starts, name_of_item, original, _, *weights = problem(1)
    linguistic[:] = linguistic[0, 0]
    nothing = np.zeros_like(original)
    tag, chosen_items, *_ = best_candidate(
        linguistic, context, positions, items, starts, name_of_item, nothing, nothing, *weights, True
    )
    assert tag == 0
    assert chosen_items.tolist() == items[assignments(items, starts)[0]].tolist()


def test_a_relation_that_is_original_and_inferred_counts_once():
    context = np.array([1.0, 10.0, 100.0, 0, 0, 0, 0, 0])
    assert relation_weights(context, 0b001, 0b011, 5.0, 2.0) == 5 + 20
    assert relation_weights(context, 0, 0b100, 5.0, 2.0) == 200
