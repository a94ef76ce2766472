"""The randomisation test, the mass of coefficients, and correlations over folds, by hand and by scipy."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from repline.systems.concreteness import approximate_randomization
from repline.systems.concreteness.approximate_randomization import randomization_test
from repline.systems.concreteness.coefficients import coefficient_mass
from repline.systems.concreteness.rating_correlations import fold_correlations

RANDOM = np.random.default_rng(0)
GOLD = RANDOM.normal(size=200)


def test_identical_systems_do_not_differ():
    predictions = GOLD + RANDOM.normal(size=200)
    assert randomization_test(GOLD, predictions, predictions.copy(), shuffles=500) == 1.0


def test_a_perfect_system_differs_from_a_random_one():
    assert randomization_test(GOLD, GOLD, RANDOM.normal(size=200), shuffles=1000) < 0.01


def test_p_is_that_of_all_swaps():
    gold = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    first, second = np.array([1.0, 2.0, 2.0, 4.0, 5.0, 6.0]), np.array([2.0, 1.0, 4.0, 3.0, 6.0, 5.0])

    def difference(first_side, second_side):
        return abs(spearmanr(first_side, gold).statistic - spearmanr(second_side, gold).statistic)

    swaps = [np.array([bit >> position & 1 for position in range(6)], bool) for bit in range(64)]
    observed = difference(first, second)
    exact = np.mean(
        [difference(np.where(s, second, first), np.where(s, first, second)) >= observed - 1e-12 for s in swaps]
    )
    assert randomization_test(gold, first, second, shuffles=64) == pytest.approx(exact)
    assert randomization_test(gold, first, second, shuffles=63) == pytest.approx(exact, abs=0.2)


def test_blocks_do_not_show(monkeypatch):
    first, second = (GOLD + 1.2 * RANDOM.normal(size=200) for _ in range(2))
    whole = randomization_test(GOLD, first, second, shuffles=200)
    monkeypatch.setattr(approximate_randomization, "VALUES_PER_BLOCK", 600)
    assert randomization_test(GOLD, first, second, shuffles=200) == whole
    assert 1 / 201 < whole < 1


def test_lengths_have_to_agree():
    with pytest.raises(ValueError, match="three lists of one length"):
        randomization_test(GOLD, GOLD, GOLD[:5])


def test_the_mass_of_coefficients():
    mass = coefficient_mass([-4.0, 1.0, 3.0, -2.0])
    assert mass["cumulative"] == pytest.approx([0.4, 0.7, 0.9, 1.0])
    assert (mass["dimensions_for_half"], mass["dimensions_for_80_percent"]) == (2, 3)
    assert (mass["share_for_half"], mass["share_for_80_percent"]) == (0.5, 0.75)
    assert mass["mass_of_half"] == pytest.approx(0.7)
    with pytest.raises(ValueError, match="differ from zero"):
        coefficient_mass([0.0, 0.0])


def test_correlations_are_means_over_folds_then_runs():
    runs, folds = np.repeat([0, 1], 100), np.tile([0, 1], 100)
    predictions = GOLD + RANDOM.normal(size=200)
    correlations = fold_correlations(GOLD, predictions, runs, folds)
    by_run = [
        np.mean(
            [
                spearmanr(GOLD[in_fold], predictions[in_fold]).statistic
                for fold in (0, 1)
                for in_fold in [(runs == run) & (folds == fold)]
            ]
        )
        for run in (0, 1)
    ]
    assert correlations["spearman"] == pytest.approx(np.mean(by_run))
    assert correlations["deviation"] == pytest.approx(np.std(by_run))
    assert correlations["runs"] == 2


def test_missing_and_constant_predictions():
    gold, predictions = GOLD.copy(), GOLD.copy()
    gold[:50], predictions[50:60] = np.nan, np.nan
    zeros = np.zeros(200, int)
    assert fold_correlations(gold, predictions, zeros, zeros)["spearman"] == pytest.approx(1)
    assert fold_correlations(GOLD, np.ones(200), zeros, zeros)["spearman"] == 0
