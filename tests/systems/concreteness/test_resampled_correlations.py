"""Rank correlations on drawn words."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from repline.evaluation.replication.bootstrap import drawn_items
from repline.systems.concreteness.rating_correlations import fold_correlations
from repline.systems.concreteness.resampled_correlations import rank_correlations, resampled_folds, resampled_words

RANDOM = np.random.default_rng(0)
GOLD = RANDOM.normal(size=300)
GOOD, BAD = GOLD + 0.5 * RANDOM.normal(size=300), RANDOM.normal(size=300)
PREDICTIONS = {"good": GOOD, "bad": BAD}
FOLDS = np.arange(300) % 3


def test_ranks_of_ties_are_their_mean():
    gold, tied = np.array([1.0, 2, 2, 3, 5]), np.array([2.0, 2, 1, 4, 4])
    rhos = rank_correlations(gold, np.stack([tied, np.ones(5)]))
    assert rhos == [pytest.approx(spearmanr(gold, tied).statistic), None]


def test_a_replicate_is_the_correlation_of_the_drawn_words():
    rhos = resampled_words(GOLD, PREDICTIONS)
    drawn = drawn_items(300, 7)
    assert rhos[7]["good"] == pytest.approx(spearmanr(GOLD[drawn], GOOD[drawn]).statistic)
    some = GOLD > 0
    inside = drawn[some[drawn]]
    rhos = resampled_words(GOLD, PREDICTIONS, of=some)
    assert rhos[7]["bad"] == pytest.approx(spearmanr(GOLD[inside], BAD[inside]).statistic)


def test_folds_are_averaged_as_in_the_measurement():
    """Replicates lie around the measured value and are as wide as chance: 1 / sqrt(n) where nothing is predicted."""
    runs = np.zeros(300)
    replicates = resampled_folds(np.arange(300), 300, GOLD, PREDICTIONS, runs, FOLDS)
    for method, values in PREDICTIONS.items():
        measured = fold_correlations(GOLD, values, runs, FOLDS)["spearman"]
        assert np.mean([replicate[method] for replicate in replicates]) == pytest.approx(measured, abs=0.02)
    assert np.std([replicate["bad"] for replicate in replicates]) == pytest.approx(1 / np.sqrt(300), rel=0.25)


def test_a_word_is_drawn_as_often_in_every_part():
    """Half of the words in another part: where the predictions are the same, so are the draws."""
    none = np.zeros(300)
    some = np.where(np.arange(300) < 150, GOLD, np.nan)
    whole = resampled_folds(np.arange(300), 300, some, PREDICTIONS, none, none)
    first = {name: value[:150] for name, value in PREDICTIONS.items()}
    part = resampled_folds(np.arange(150), 300, GOLD[:150], first, none[:150], none[:150])
    assert whole == part


def test_runs_are_drawn():
    twice = {"good": np.concatenate([GOOD, BAD])}
    runs = np.repeat([0, 1], 300)
    words, gold, folds = np.tile(np.arange(300), 2), np.tile(GOLD, 2), np.tile(FOLDS, 2)
    values = [replicate["good"] for replicate in resampled_folds(words, 300, gold, twice, runs, folds)]
    low, middle, high = (sum(a <= value < b for value in values) for a, b in ((-1, 0.25), (0.25, 0.7), (0.7, 1)))
    assert min(low, high) > 60
    assert middle == 0  # of two runs one is drawn
