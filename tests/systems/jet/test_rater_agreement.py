"""Intraclass correlations of ratings, on the example of the paper that defines them."""

import numpy as np
import pytest

from repline.systems.jet.rater_agreement import intraclass_correlation, rater_agreement

# Shrout and Fleiss 1979, table 2: six targets, each rated by four judges; ICC(1, 1) is .17
TARGETS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], np.float64)


def test_the_correlation_is_that_of_its_paper():
    weights = np.ones((1, len(TARGETS)), np.int64)
    assert intraclass_correlation(TARGETS, weights) == pytest.approx([0.1657], abs=1e-4)


def test_a_target_that_is_drawn_twice_counts_as_two():
    twice = np.concatenate([TARGETS, TARGETS[:1]])
    expected = intraclass_correlation(twice, np.ones((1, len(twice)), np.int64))
    assert intraclass_correlation(TARGETS, np.array([[2, 1, 1, 1, 1, 1]])) == pytest.approx(expected)


def test_too_few_targets_and_equal_ratings_have_no_correlation():
    weights = np.array([[1, 1, 0, 0, 0, 0]])
    assert np.isnan(intraclass_correlation(TARGETS, weights)).all()
    assert np.isnan(intraclass_correlation(np.ones((4, 3)), np.ones((1, 4), np.int64))).all()


def test_pairs_are_counted_by_their_raters():
    ratings = [row.tolist() for row in TARGETS] + [[1.0, 2.0, 3.0]] * 2 + [[1.0] * 7]
    agreement = rater_agreement(ratings)
    assert {name: part["pairs"][0] for name, part in agreement.items()} == {
        "raters_3": 2, "raters_4": 6, "more": 1, "all": 9
    }  # fmt: skip
    assert agreement["raters_4"]["icc"][0] == pytest.approx(0.1657, abs=1e-4)
    assert len(agreement["raters_4"]["icc"]) == len(agreement["all"]["pairs"])


def test_equal_ratings_say_nothing_however_their_mean_rounds():
    drawn = np.array([[3, 3, 4, 0, 0], [1, 1, 1, 1, 1]])
    assert np.isnan(intraclass_correlation(np.full((5, 3), 0.1), drawn)).all()
