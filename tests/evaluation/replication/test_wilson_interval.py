import numpy as np
import pytest
from scipy.stats import binomtest

from repline.evaluation.replication.wilson_interval import at_least_wilson, wilson


def test_known_values():
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3
    low, high = wilson([81, 15, 0, 1], [263, 148, 20, 29])
    np.testing.assert_allclose(low, [0.2553, 0.0624, 0.0, 0.0061], atol=5e-5)
    np.testing.assert_allclose(high, [0.3662, 0.1605, 0.1611, 0.1718], atol=5e-5)


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (3, 7), (50, 100), (24957, 24958), (5120, 5120)])
def test_agrees_with_scipy(successes, trials):
    expected = binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    low, high = wilson(successes, trials)
    assert low == pytest.approx(expected.low, abs=1e-7)
    assert high == pytest.approx(expected.high, abs=1e-7)


def test_an_interval_is_widened_where_it_is_narrower():
    least, most = wilson(18, 20)
    assert at_least_wilson(0.85, 0.95, share=0.9, trials=20) == (least, most)
    assert at_least_wilson(0.5, 0.95, share=0.9, trials=20) == (0.5, most)
    assert at_least_wilson(0.5, 1.0, share=0.9, trials=20) == (0.5, 1.0)


def test_bounds_hold_the_share_and_stay_in_zero_and_one():
    trials = np.arange(1, 60)[:, None]
    successes = np.minimum(np.arange(60)[None, :], trials)
    low, high = wilson(successes, trials)
    assert low.shape == (59, 60)
    assert ((low >= 0) & (low <= successes / trials) & (successes / trials <= high) & (high <= 1)).all()


def test_no_trial_has_no_interval():
    low, high = wilson([0, 1], [0, 2])
    assert np.isnan([low[0], high[0]]).all()
    assert np.isfinite([low[1], high[1]]).all()


@pytest.mark.parametrize(("successes", "trials"), [(3, 2), (-1, 2), ([1, 2], [1, 1])])
def test_impossible_counts_are_refused(successes, trials):
    with pytest.raises(ValueError, match="successes"):
        wilson(successes, trials)
