import numpy as np
import pytest

from repline.evaluation.correlation import pearson, spearman


def test_a_line_correlates_wholly():
    assert pearson(np.arange(4), 2 * np.arange(4)) == pytest.approx(1)
    assert pearson(np.array([1.0, 2, 4]), np.array([3.0, 1, 2])) == pytest.approx(
        np.corrcoef([1, 2, 4], [3, 1, 2])[0, 1]
    )


def test_equal_values_share_their_average_rank():
    # ranks 1.5 1.5 3 against 1 2 3: cov 1.5 / sqrt(1.5 * 2)
    assert spearman(np.array([5.0, 5, 9]), np.array([1.0, 2, 3])) == pytest.approx(1.5 / np.sqrt(3))


@pytest.mark.parametrize("measure", [pearson, spearman])
def test_too_few_or_constant_values_have_no_correlation(measure):
    assert measure(np.array([1.0, 2, 3]), np.array([2.0, 2, 2])) is None
    assert measure(np.array([1.0, 2]), np.array([1.0, 2])) is None
    assert measure(np.array([1.0, 2]), np.array([1.0, 2]), least=2) == pytest.approx(1)


@pytest.mark.parametrize("measure", [pearson, spearman])
@pytest.mark.filterwarnings("error")
def test_values_that_differ_by_rounding_alone_are_constant(measure):
    """An encoder that gives every sentence one direction has cosines of 1, give or take a bit."""
    level = 1 + np.array([0.0, 1, -1, 2, 1]) * np.finfo(float).eps
    assert level.min() < level.max()
    assert measure(level, np.array([1.0, 2, 4, 3, 5])) is None
    assert measure(1 + 1e-6 * np.arange(5.0), np.arange(5.0)) == pytest.approx(1)
