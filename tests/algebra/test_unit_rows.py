import numpy as np

from repline.algebra.unit_rows import unit_rows


def test_rows_have_the_length_one_and_zeros_stay():
    rows = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0], [0.0, -2.0]]))
    np.testing.assert_array_equal(rows, [[0.6, 0.8], [0, 0], [0, -1]])


def test_rows_that_are_too_short_become_zeros():
    np.testing.assert_array_equal(unit_rows(np.array([[1e-7, 0.0], [1.0, 0.0]]), least=1e-6), [[0, 0], [1, 0]])


def test_the_precision_is_that_of_the_vectors():
    assert unit_rows(np.ones((1, 4), np.float32)).dtype == np.float32
    np.testing.assert_array_equal(unit_rows(np.ones((1, 4), np.int64)), [[0.5] * 4])
