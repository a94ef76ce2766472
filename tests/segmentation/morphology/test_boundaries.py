"""Precision, recall and F1 of cuts."""

import numpy as np
import pytest

from repline.errors import InputError
from repline.segmentation.morphology.boundaries import best_of, boundary_counts, boundary_f1, cuts

GOLD = {"walkers": [("walk", "er", "s"), ("walker", "s")], "bird": [("bird",)], "cats": [("cat", "s")]}


def test_by_hand():
    assert cuts(("walk", "er", "s")) == {4, 6}
    predicted = {"walkers": ("walker", "s"), "bird": ("bi", "rd"), "cats": ("cats",), "other": ("other",)}
    counts = boundary_counts(GOLD, predicted)
    np.testing.assert_array_equal(counts, [[1, 1, 1], [0, 1, 0], [0, 0, 1]])
    assert boundary_f1(counts) == {"precision": 0.5, "recall": 0.5, "f1": 0.5}


def test_weights_count_words_again():
    counts = boundary_counts(GOLD, {"walkers": ("walker", "s"), "cats": ("cats",)})
    weighted = boundary_f1(counts, np.array([[1, 1], [2, 0], [0, 2]]))
    np.testing.assert_allclose(weighted["recall"], [0.5, 1, 0])
    np.testing.assert_allclose(weighted["precision"], [1, 1, 0])


def test_the_best_of_several_options():
    options = {"walkers": [("walkers",), ("wal", "kers"), ("walker", "s")], "cats": [("cats",)]}
    assert best_of(GOLD, options) == {"walkers": ("walker", "s"), "cats": ("cats",)}


def test_morphs_have_to_make_up_their_word():
    with pytest.raises(InputError, match="subside-y"):
        boundary_counts({"subsidy": [("subside", "y")]}, {"subsidy": ("subsid", "y")})
