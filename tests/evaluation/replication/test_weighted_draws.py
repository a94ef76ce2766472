"""The bootstrap of word vector tests equals measuring every resample again."""

import numpy as np
import pytest
from scipy import stats

from repline.evaluation.replication.bootstrap import drawn_items, drawn_runs
from repline.evaluation.replication.weighted_draws import (
    as_parts,
    draws,
    mean_of_drawn_runs,
    mean_of_draws,
    pearson_of_draws,
    question_weights,
    spearman_of_draws,
    weights_of,
)

ITEMS, REPLICATES = 23, 5


@pytest.fixture
def scored():
    random = np.random.default_rng(0)
    return random.normal(size=ITEMS), random.integers(0, 5, ITEMS).astype(float)  # scores with ties


def test_the_draws_are_those_of_every_other_bootstrap():
    weights = draws(ITEMS, REPLICATES)
    assert weights.shape == (REPLICATES, ITEMS)
    assert (np.repeat(np.arange(ITEMS), weights[3]) == np.sort(drawn_items(ITEMS, 3))).all()


def test_correlations_of_draws_are_those_of_the_drawn_items(scored):
    first, second = scored
    weights = draws(ITEMS, REPLICATES)
    drawn = [drawn_items(ITEMS, replicate) for replicate in range(REPLICATES)]
    assert spearman_of_draws(first, second, weights) == pytest.approx(
        [stats.spearmanr(first[items], second[items]).statistic for items in drawn]
    )
    assert pearson_of_draws(first, second, weights) == pytest.approx(
        [stats.pearsonr(first[items], second[items]).statistic for items in drawn]
    )
    assert mean_of_draws(first, weights) == pytest.approx([first[items].mean() for items in drawn])


def test_what_says_nothing_is_nan():
    weights = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]])
    correlations = spearman_of_draws([1.0, 2, 3, 4], [1.0, 3, 2, 4], weights)
    assert np.isnan(correlations).tolist() == [True, False, True]
    assert correlations[1] == pytest.approx(0.5)
    assert np.isnan(spearman_of_draws([1.0, 1, 1, 4], [1.0, 3, 2, 4], weights)).all()
    assert np.isnan(mean_of_draws([1, 1, 1, 1], weights)).tolist() == [False, False, True]


@pytest.mark.parametrize("measure", [pearson_of_draws, spearman_of_draws])
def test_draws_of_equal_values_say_nothing(measure):
    """The mean of ten times 0.1 is not 0.1: what rounding leaves must not correlate."""
    tenths = np.array([0.1, 0.1, 0.1, 0.7])
    weights = np.array([[3, 3, 4, 0], [7, 1, 2, 0], [1, 1, 1, 1]])
    assert np.isnan(measure(tenths, tenths, weights)).tolist() == [True, True, False]
    assert np.isnan(measure(tenths, [1, 2, 3, 4], weights)).tolist() == [True, True, False]
    level = 1 + np.array([0.0, 1, -1, 2]) * np.finfo(float).eps
    assert np.isnan(measure(level, [1, 2, 3, 4], weights)).all()
    assert measure(np.zeros(0), np.zeros(0), np.zeros((2, 0), int)).shape == (2,)


def test_runs_are_drawn_too():
    values = np.arange(3 * REPLICATES, dtype=float).reshape(3, REPLICATES)
    assert mean_of_drawn_runs(values)[2] == values[drawn_runs(3, 2), 2].mean()
    assert (mean_of_drawn_runs(values[:1]) == values[0]).all()


def test_arrays_become_parts_of_the_metrics():
    parts = as_parts({"a": {"x": np.array([1.0, np.nan])}, "b": np.array([3.0, 4.0]), "c": {}})
    assert parts == [{"a": {"x": 1.0}, "b": 3.0}, {"a": {"x": None}, "b": 4.0}]
    with pytest.raises(ValueError, match="of b"):
        as_parts({"a": np.zeros(2), "b": np.zeros(3)})


def test_questions_are_drawn_by_their_pairs():
    pairs = [("a", "b"), ("c", "d"), ("e", "f")]
    questions = [first + second for first in pairs for second in pairs if first != second]
    weights = question_weights(questions, replicates=50)
    assert (weights[0] == 1).all()
    drawn = weights_of(len(pairs), replicates=50)
    numbers = {pair: number for number, pair in enumerate(pairs)}
    for question, column in zip(questions, weights.T, strict=True):
        first, second = (drawn[:, numbers[question[start : start + 2]]] for start in (0, 2))
        assert (column == first * second).all()
    assert question_weights([], replicates=50).shape == (51, 0)


def test_items_of_a_group_are_drawn_as_often():
    weights = draws(5, groups=["b", "a", "b", "c", "a"])
    assert (weights[:, 0] == weights[:, 2]).all() and (weights[:, 1] == weights[:, 4]).all()
    assert (weights[:, [0, 1, 3]].sum(1) == 3).all() and len(np.unique(weights[:, 3])) > 1
