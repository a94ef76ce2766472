import numpy as np

from repline.training.padded_rows import padded_rows


def test_rows_are_filled_to_the_longest():
    rows = padded_rows([[3, 1], [], [2, 2, 5]], -1)
    assert rows.tolist() == [[3, 1, -1], [-1, -1, -1], [2, 2, 5]] and rows.dtype == np.int64
    assert padded_rows([[1]], 0, np.int32).dtype == np.int32


def test_no_rows_and_empty_rows():
    assert padded_rows([], 0).shape == (0, 0)
    assert padded_rows([[], []], 0).shape == (2, 0)
