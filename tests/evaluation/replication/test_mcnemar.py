import numpy as np
import pytest

from repline.evaluation.replication.mcnemar import mcnemar


def test_mcnemar_by_hand():
    first, second = np.array([1, 1, 1, 1, 1, 0]), np.array([0, 0, 0, 0, 0, 0])
    assert mcnemar(first, second) == pytest.approx(2 * 0.5**5)
    assert mcnemar(first, first) == 1
