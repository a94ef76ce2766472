"""Ranks against a plain loop; ties, the filter, hits, categories."""

import numpy as np
import pytest

from repline.errors import InputError
from repline.graphs.filtered_ranking import BLOCK, SIDES, rank_entities
from repline.graphs.rank_measures import (
    CATEGORIES,
    lowest_reciprocal_rank,
    means,
    measures_of_ranks,
    relation_categories,
)


def made(n=40, m=3, d=4, count=60, seed=0):
    """Vectors on a coarse grid, so that there are many ties, and triples."""
    random = np.random.default_rng(seed)
    entities, relations = (random.integers(-2, 3, (rows, d)).astype(np.float32) for rows in (n, m))
    triples = np.stack([random.integers(n, size=count), random.integers(m, size=count), random.integers(n, size=count)])
    return entities, relations, np.unique(triples.T, axis=0)


def by_hand(entities, relations, triple, true_triples, side, norm):
    """(raw before, raw ties, filtered before, filtered ties) of one query."""
    head, relation, tail = triple
    column, true = (0, head) if side == "head" else (2, tail)
    counts = []
    for filtered in (False, True):
        before = ties = 0
        distances = []
        for entity in range(len(entities)):
            changed = list(triple)
            changed[column] = entity
            gap = entities[changed[0]] + relations[relation] - entities[changed[2]]
            distances.append((changed, np.abs(gap).sum() if norm == "L1" else np.square(gap).sum()))
        true_distance = distances[true][1]
        for entity, (changed, distance) in enumerate(distances):
            if entity == true or (filtered and any((row == changed).all() for row in true_triples)):
                continue
            before, ties = before + (distance < true_distance), ties + (distance == true_distance)
        counts += [before, ties]
    return counts


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("norm", ["L1", "L2"])
def test_ranks_are_those_of_a_loop_over_all_candidates(side, norm):
    entities, relations, triples = made()
    ranks = rank_entities(entities, relations, triples, np.concatenate([triples, triples[:7]]), side, norm)
    for index, triple in enumerate(triples):
        before, ties, left, left_ties = by_hand(entities, relations, triple, triples, side, norm)
        assert ranks.rank(False, "optimistic")[index] == 1 + before
        assert ranks.rank(False, "pessimistic")[index] == 1 + before + ties
        assert ranks.rank(True, "optimistic")[index] == 1 + left
        assert ranks.rank(True, "mean")[index] == 1 + left + left_ties / 2


def test_more_entities_than_a_block_count_as_all():
    random = np.random.default_rng(1)
    n = 2 * BLOCK + 37
    entities, relations = random.normal(size=(n, 5)), random.normal(size=(2, 5))
    triples = np.stack([random.integers(n, size=9), random.integers(2, size=9), random.integers(n, size=9)], axis=1)
    distances = np.abs((entities[triples[:, 0]] + relations[triples[:, 1]])[:, None] - entities).sum(2)
    true_distances = distances[np.arange(9), triples[:, 2]]
    ranks = rank_entities(entities, relations, triples, triples, "tail", "L1")
    assert ranks.rank(False).tolist() == (1 + (distances < true_distances[:, None] - 1e-12).sum(1)).tolist()


def test_a_filtered_rank_is_at_most_the_raw_one_and_equal_where_nothing_else_is_known():
    entities, relations, triples = made(seed=3)
    ranks = rank_entities(entities, relations, triples, triples, "tail", "L1")
    for ties in ("mean", "optimistic", "pessimistic"):
        assert (ranks.rank(True, ties) <= ranks.rank(False, ties)).all()
    _, group, size = np.unique(triples[:, :2], axis=0, return_inverse=True, return_counts=True)
    alone = size[group.ravel()] == 1
    assert alone.any() and not alone.all()
    assert (ranks.rank(True)[alone] == ranks.rank(False)[alone]).all()


def test_where_all_vectors_are_equal_the_mean_rank_is_the_middle():
    n = 11
    triples = np.array([[0, 0, 1], [4, 0, 2]])
    ranks = rank_entities(np.ones((n, 3), np.float32), np.zeros((1, 3), np.float32), triples, triples, "head", "L1")
    assert ranks.rank().tolist() == [(n + 1) / 2] * 2
    assert ranks.rank(ties="optimistic").tolist() == [1, 1]
    assert ranks.rank(ties="pessimistic").tolist() == [n, n]


def test_vectors_that_are_not_finite_are_refused():
    entities, relations, triples = made()
    entities[3, 0] = np.nan
    with pytest.raises(InputError, match="not finite"):
        rank_entities(entities, relations, triples, triples, "tail", "L1")


def test_both_sides_count_alike_and_hits_of_the_paper_are_one_off():
    entities, relations, triples = made(seed=5)
    by_side = {
        side: measures_of_ranks(rank_entities(entities, relations, triples, triples, side, "L1")) for side in SIDES
    }
    weights = np.concatenate([np.ones((1, len(triples))), np.random.default_rng(0).integers(0, 3, (4, len(triples)))])
    numbers = means(by_side, weights)
    for protocol in ("raw", "filtered"):
        for measure, values in numbers[protocol]["all"].items():
            sides = numbers[protocol]["head"][measure], numbers[protocol]["tail"][measure]
            assert (values == (sides[0] + sides[1]) / 2).all()
        both = numbers[protocol]["all"]
        assert (both["paper_hits_3"] >= both["hits_3"]).all()
        least = lowest_reciprocal_rank([both[f"hits_{k}"] for k in (1, 3, 10)])
        assert (both["mrr"] >= least - 1e-12).all()
    ranks = by_side["tail"]["filtered"]
    assert ((ranks["mr_optimistic"] <= 4) == ranks["paper_hits_3"]).all()
    assert ((ranks["mr"] <= 3) == ranks["hits_3"]).all()


def test_relations_have_the_category_of_their_mean_numbers_of_tails_and_heads():
    triples = [(0, 0, 1), (2, 0, 3)]  # one to one
    triples += [(0, 1, tail) for tail in (1, 2)]
    triples += [(head, 2, 5) for head in (1, 2)]
    triples += [(head, 3, tail) for head in (1, 2) for tail in (3, 4)]
    triples += [(0, 4, 1), (0, 4, 2), (3, 4, 4)]  # 1.5 tails per head is still "1"
    categories = relation_categories(np.array(triples), 6)
    assert [CATEGORIES[category] for category in categories[:5]] == ["1-1", "1-N", "N-1", "N-N", "1-1"]
    assert categories[5] == -1
