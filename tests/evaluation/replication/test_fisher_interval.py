"""Fisher's interval against scipy, and its coverage."""

import numpy as np
import pytest
import scipy.stats

from repline.evaluation.replication.fisher_interval import fisher


def test_intervals_are_those_of_scipy():
    random = np.random.default_rng(0)
    for pairs in (4, 10, 300):
        first, second = random.normal(size=(2, pairs))
        expected = scipy.stats.pearsonr(first, second)
        assert fisher(expected.statistic, pairs) == pytest.approx(tuple(expected.confidence_interval()), abs=1e-6)


def test_few_pairs_say_nothing_and_a_perfect_correlation_has_no_interval():
    assert fisher(0.7, 3) == (-1, 1)
    assert fisher(-1.0, 10) == (-1, -1) and fisher(1.0, 10) == (1, 1)
