"""Tables of matrices, on a model whose brackets cancel by construction."""

import math

import numpy as np
import pytest
import torch

from repline.evaluation.replication.seed_means import mean_of_runs
from repline.systems.urn.number_agreement import agreement_accuracy, word_tables
from repline.systems.urn.rotation_tables import bracket_tables, distances, number_clusters, plane_similarities


def _turn(angle, first):
    """A rotation by `angle` degrees in the plane of axes `first`, `first` + 1 of R^8."""
    q = torch.eye(8, dtype=torch.float64)
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    q[first : first + 2, first : first + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
    return q


MATRICES = {"(": _turn(90, 0), ")": _turn(-90, 0), "[": _turn(60, 2), "]": _turn(-60, 2)}


def _phrase(symbols):
    product = torch.eye(8, dtype=torch.float64)
    for symbol in symbols:
        product = MATRICES[symbol] @ product
    return product


def test_brackets_that_cancel():
    tables = bracket_tables(MATRICES.__getitem__, _phrase, {"round": "()", "square": "[]"}, largest=2)
    assert tables["effects"] == pytest.approx({"round_open": 4, "round_close": 4, "square_open": 2, "square_close": 2})
    assert tables["pair_effects"] == pytest.approx({"round": 0, "square": 0}, abs=1e-12)
    assert tables["mismatched_to_single_ratio"] == pytest.approx(6 / 3)
    assert tables["angles"]["square_close"] == pytest.approx([0, 60])
    assert tables["open_close_effect_difference"] == pytest.approx(0)
    assert tables["open_close_angle_difference"] == pytest.approx(0)


def test_ends_of_a_bracket_differ_relative_to_the_opening_one():
    matrices = MATRICES | {")": _turn(-60, 0)}  # effects 4 and 2
    tables = bracket_tables(matrices.__getitem__, _phrase, {"round": "()", "square": "[]"}, largest=1)
    assert tables["open_close_effect_difference"] == pytest.approx((2 / 4 + 0) / 2)
    assert tables["open_close_effect_difference_largest"] == pytest.approx(2 / 4)
    assert tables["open_close_angle_difference"] == pytest.approx((30 + 0) / 2)


def test_planes_by_increasing_angle():
    a = _turn(90, 0) @ _turn(30, 2)
    b = _turn(20, 0) @ _turn(80, 4)
    np.testing.assert_allclose(plane_similarities(a, b, largest=2), [[0, 0], [2, 0]], atol=1e-6)


def test_distances_and_number_clusters():
    words = {"cat": _turn(10, 0), "dog": _turn(12, 0), "cats": _turn(10, 4), "dogs": _turn(14, 4)}
    table = distances(words.__getitem__, list(words))
    assert table.diagonal() == pytest.approx([0] * 4, abs=1e-9)
    assert table[0, 1] == pytest.approx(4 * (1 - math.cos(math.radians(2))))
    clusters = number_clusters(words.__getitem__, ["cat", "dog"], ["cats", "dogs"])
    assert clusters["distance_same_number"] < clusters["distance_different_number"]
    assert clusters["distance_different_number"] == pytest.approx(table[:2, 2:].mean())
    assert number_clusters(words.__getitem__, ["cat"], ["cats", "dogs"]) == {}


def test_word_tables_hold_what_the_corpus_has():
    words = {"the": _turn(5, 0), "is": _turn(90, 0), "cat": _turn(10, 2), "dog": _turn(20, 2)}
    vocabulary = [{"word": word, "noun_number": "singular" if word in ("cat", "dog") else None} for word in words]
    tables = word_tables(words.__getitem__, vocabulary, ["is", "unseen"], ["cat", "unseen", "dog"])
    assert tables["effects"] == pytest.approx({"is": 4})
    assert list(tables["distances"]) == ["cat"]
    assert list(tables["distances"]["cat"]) == ["dog"]
    assert tables["effect_verbs"] == pytest.approx(4)
    assert tables["effect_irrelevant"] == pytest.approx(4 * (1 - math.cos(math.radians(5))))
    assert "distance_same_number" not in tables


def test_agreement_by_attractors_pools_runs():
    plural = np.array([0, 1, 1, 0])
    result = agreement_accuracy([plural, np.array([0, 1, 0, 1])], plural, np.array([0, 0, 1, 2]))
    assert result["accuracy"] == 0.75
    assert result["accuracy_range"] == 0.5
    assert result["accuracy_by_attractors"] == [1.0, 0.5, 0.5]


def test_runs_of_different_form_do_not_average():
    assert mean_of_runs([{"a": [1, {"b": 2}]}, {"a": [3, {"b": 4}]}]) == {"a": [2, {"b": 3}]}
    assert mean_of_runs([{"a": 1, "b": None}, {"a": 3, "b": 4}]) == {"a": 2, "b": None}
    with pytest.raises(ValueError, match="different form"):
        mean_of_runs([{"a": 1}, {"b": 1}])
