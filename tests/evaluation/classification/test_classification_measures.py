"""Measures of classifiers: hand-worked numbers."""

import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.classification.classification_measures import (
    classified,
    confusion,
    ranges,
    read_probabilities,
    reliability,
)


def test_measures_by_hand():
    probabilities = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.7, 0.3]])
    gold = np.array([0, 1, 1, 0])
    measures = classified(probabilities, gold, np.array([[1, 1, 1, 1], [0, 2, 1, 1]]), np.array([3, 3, 9, 9]), [5])
    np.testing.assert_allclose(measures["accuracy"], [0.75, 0.5])
    np.testing.assert_allclose(measures["micro_f1"], measures["accuracy"])
    np.testing.assert_allclose(measures["macro_f1"], [(0.8 + 2 / 3) / 2, (0.5 + 0.5) / 2])
    np.testing.assert_allclose(measures["ece"], [(0.1 + 0.6 + 0.2 + 0.3) / 4, (1.2 + 0.2 + 0.3) / 4])
    np.testing.assert_allclose(measures["nll"][0], -np.log([0.9, 0.4, 0.8, 0.7]).mean())
    np.testing.assert_allclose(measures["by_length"]["below_5"], [0.5, 0])
    np.testing.assert_allclose(measures["by_length"]["from_5"], [1, 1])
    assert confusion(probabilities, gold).tolist() == [[2, 0], [1, 1]]
    assert [row["documents"] for row in reliability(probabilities, gold)] == [1, 1, 1, 1]
    assert ranges([]) == ["all"]


def test_probabilities_that_are_not_there(tmp_path):
    with pytest.raises(InputError, match=r"the probabilities cannot be read .* train again"):
        read_probabilities(tmp_path / "scores.npz")
