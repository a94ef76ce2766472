import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from repline.vectors.normalisation import unit_length


def test_every_vector_has_length_one_and_zeros_stay():
    matrix = np.array([[3.0, 4.0], [0.0, 0.0], [-2.0, 0.0]], np.float32)
    assert_allclose(unit_length(matrix), [[0.6, 0.8], [0, 0], [-1, 0]], rtol=1e-6)
    assert unit_length(matrix).dtype == np.float32
    assert_array_equal(matrix[0], [3, 4])


def test_smoothing_shortens():
    assert_allclose(unit_length(np.array([[3.0, 4.0], [0.0, 0.0]]), 24.0), [[3 / 7, 4 / 7], [0, 0]])
