"""R² of the step: against scikit-learn, and for the counter that is reset."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from repline.systems.lstm_memorization.counting import StepRegression


def regression(states, steps=None, block=7):
    fitted = StepRegression(steps)
    for start in range(0, len(states), block):
        fitted.add(states[start : start + block])
    return fitted


def test_a_ramp_that_is_reset_counts_up_to_the_middle_only():
    steps = np.arange(300)
    ramp = np.where(steps <= 150, steps, 0.0)[None, :, None].repeat(3, 0)  # [3, 300, 1]
    first, whole = regression(ramp, steps=151), regression(ramp)
    assert first.whole() == pytest.approx(1, abs=1e-9)
    assert first.units()[0] == pytest.approx(1, abs=1e-9)
    assert whole.whole() == pytest.approx(0.20, abs=0.01)
    assert whole.units()[0] == pytest.approx(0.20, abs=0.01)


@pytest.mark.parametrize("steps", [None, 6])
def test_it_is_least_squares(steps):
    generator = np.random.default_rng(0)
    states = generator.normal(size=(40, 11, 5)) + 0.3 * np.arange(11)[:, None] * generator.normal(size=5) + 100
    used = states[:, :steps]
    rows = used.reshape(-1, 5)
    times = np.tile(np.arange(used.shape[1]), 40)
    fitted = regression(states.astype(np.float64), steps)
    assert fitted.whole() == pytest.approx(LinearRegression().fit(rows, times).score(rows, times), abs=1e-9)
    for unit, r2 in enumerate(fitted.units()):
        assert r2 == pytest.approx(np.corrcoef(rows[:, unit], times)[0, 1] ** 2, abs=1e-9)


def test_units_that_never_change_or_repeat_another_say_nothing_new():
    generator = np.random.default_rng(0)
    states = generator.normal(size=(10, 9, 3)) + np.arange(9)[:, None]
    with_copies = np.concatenate([states, np.full((10, 9, 1), 5.0), states[..., :1]], axis=-1)
    assert regression(with_copies).whole() == pytest.approx(regression(states).whole(), abs=1e-9)
    assert regression(with_copies).units()[3] == 0


def test_without_states_there_is_no_regression():
    with pytest.raises(ValueError, match="states"):
        StepRegression().whole()
