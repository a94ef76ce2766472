"""Replicates of correlations: weighted Pearson, drawn pairs, drawn texts where a file has all pairs of some."""

from itertools import combinations

import numpy as np
import pytest

from repline.evaluation.sentence_similarity import PairFile, file_correlations
from repline.systems.usif.resampled_similarity import drawn_pairs, resampled_correlations, weighted_correlations

RANDOM = np.random.default_rng(0)


def pair_file(pairs, name="a"):
    first, second = ([[word] for word in side] for side in zip(*pairs, strict=True))
    return PairFile("t", name, first, second, RANDOM.normal(size=len(pairs)))


SEPARATE = pair_file([(f"a{number}", f"b{number}") for number in range(45)])
CROSSED = pair_file(list(combinations("abcdefghij", 2)))  # 45 pairs of 10 texts


def test_a_weight_is_how_often_a_pair_is_there():
    x, y = RANDOM.normal(size=(2, 30))
    counts = RANDOM.integers(0, 4, size=(5, 30))
    correlations = weighted_correlations(x, y, counts.astype(float))
    for row, value in zip(counts, correlations, strict=True):
        repeated = np.repeat(np.arange(30), row)
        assert value == pytest.approx(100 * np.corrcoef(x[repeated], y[repeated])[0, 1])


def test_a_constant_side_has_no_correlation():
    weights = np.array([[1.0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]])
    correlations = weighted_correlations(np.array([0.3, 0.3, 0.9, 0.1]), np.arange(4.0), weights)
    assert correlations[0] is None and correlations[2] is None
    assert correlations[1] == pytest.approx(100)


def test_pairs_are_drawn_where_they_share_nothing():
    draws = drawn_pairs(SEPARATE)
    assert draws.shape == (200, 45)
    assert (draws.sum(axis=1) == 45).all()
    assert (draws[0] != draws[1]).any()
    assert (drawn_pairs(SEPARATE) == draws).all()
    assert (drawn_pairs(SEPARATE, number=1) != draws).any()


@pytest.mark.parametrize("count", [10, 50])
def test_texts_are_drawn_where_a_file_has_all_their_pairs(count):
    draws = drawn_pairs(pair_file(list(combinations([f"text{number}" for number in range(count)], 2))))
    table = np.zeros((count, count))
    for row in draws[:20]:
        table[np.triu_indices(count, k=1)] = row
        whole = table + table.T
        absent = np.flatnonzero(whole.sum(axis=0) == 0)
        assert len(absent)  # a text that is not drawn takes all its pairs along
        present = np.setdiff1d(np.arange(count), absent)
        assert (whole[np.ix_(present, present)][~np.eye(len(present), dtype=bool)] > 0).all()


def test_pairs_that_share_a_text_are_drawn_together():
    groups = 30
    file = pair_file([(f"a{group}", f"{side}{group}") for group in range(groups) for side in "bc"])
    draws = drawn_pairs(file)
    assert (draws[:, 0::2] == draws[:, 1::2]).all()
    assert (draws.sum(axis=1) == 2 * groups).all() and draws.max() > 1


def test_drawn_texts_spread_more_than_drawn_pairs():
    """Each text has an effect of its own on all its pairs: 45 pairs tell no more than 10 texts."""
    effect = RANDOM.normal(size=10)
    first, second = np.triu_indices(10, k=1)
    values = effect[first] + effect[second] + 0.1 * RANDOM.normal(size=45)
    spread = {
        name: np.std([r for r in weighted_correlations(values, CROSSED.scores, drawn_pairs(file)) if r])
        for name, file in (("texts", CROSSED), ("pairs", SEPARATE))
    }
    assert spread["texts"] > 1.2 * spread["pairs"]


def test_replicates_have_the_form_of_the_measurement():
    files = [SEPARATE, pair_file([("x", "y"), ("z", "w"), ("u", "v")], "b")]
    values = [RANDOM.normal(size=len(file.scores)) for file in files]
    once = [np.ones((2, len(file.scores))) for file in files]
    similarities = iter(values)
    expected = file_correlations(files, lambda file: next(similarities))
    for replicate in resampled_correlations(files, values, once):
        assert {file: pytest.approx(r) for file, r in expected["t"].items()} == replicate["t"]


def test_equal_similarities_have_no_correlation_whatever_their_rounding():
    x = np.repeat(np.random.default_rng(1).normal(size=9), 3)
    weights = np.array([np.where(x == value, np.array([3.0, 5, 7] * 9), 0) for value in x])  # of one value each
    assert weighted_correlations(x, np.arange(27.0), weights) == [None] * 27
