"""Standard errors of numbers whose variance is known."""

import numpy as np
import pytest
import scipy.stats

from repline.evaluation.replication.standard_error import StandardError, standard_error


def test_units_alone_have_their_degrees_of_freedom():
    replicates = np.array([-1.0, 1.0] * 50)
    error = standard_error(replicates, [np.array([0.3])], units=11)
    assert error == pytest.approx((np.sqrt(11 / 10), 10))
    assert error.half_interval() == pytest.approx(scipy.stats.t.ppf(0.975, 10) * np.sqrt(1.1))
    assert error.two_sided(2.0, 11) == pytest.approx(2 * scipy.stats.t.sf(2 / np.sqrt(1.1), 10))


def test_runs_alone_are_a_t_test():
    """Where units do not vary, the p is that of a t test of the runs."""
    runs = np.array([0.2, 0.5, 0.9])
    spread = float(runs.var(ddof=1)) / 3
    error = standard_error(np.sqrt(spread) * np.array([-1.0, 1.0]), [runs], units=100)
    assert error == pytest.approx((np.sqrt(spread), 2))
    assert error.two_sided(float(runs.mean()), 100) == pytest.approx(scipy.stats.ttest_1samp(runs, 0).pvalue)


def test_what_never_varies_is_as_sure_as_tosses_of_a_coin():
    error = standard_error(np.ones(20), [np.ones(2)], units=12)
    assert error == StandardError(0.0, 11) and error.half_interval() == 0
    assert error.two_sided(0.0, 12) == 1 and error.two_sided(0.5, 12) == 2**-11
