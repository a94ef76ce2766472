import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.correlation import pearson
from repline.evaluation.sentences.cross_validation import (
    _largest_best,
    nested,
    on_dev,
    on_inner_folds,
    pair_features,
    relatedness,
    stratified_folds,
)
from repline.evaluation.sentences.logistic_regressions import Regressions

RANDOM = np.random.default_rng(0)
LABELS = RANDOM.integers(3, size=180)
ROWS = RANDOM.normal(size=(180, 8)) + 1.2 * np.eye(3, 8)[LABELS]


def test_folds_hold_every_class_evenly():
    labels = np.repeat([0, 1, 2], [50, 30, 10])
    folds = stratified_folds(labels, 5, seed=1)
    counts = np.array([np.bincount(labels[folds == fold], minlength=3) for fold in range(5)])
    assert (counts == [10, 6, 2]).all()
    assert (folds != stratified_folds(labels, 5, seed=2)).any()
    with pytest.raises(InputError, match="at least 5 sentences for 5 folds, found 4"):
        stratified_folds(labels[:4], 5, seed=1)


def test_nested_predicts_each_sentence_by_a_classifier_that_did_not_see_it():
    predicted, penalty = nested(ROWS, LABELS, folds=4, inner=3, penalties=[0.01], seed=7)
    outer = stratified_folds(LABELS, 4, 7)
    assert penalty == [0.01] * 4
    for fold in range(4):
        alone = Regressions(ROWS[outer != fold], LABELS[outer != fold]).path([0.01])[0]
        same = alone.classes(ROWS[outer == fold])[:, 0] == predicted[outer == fold]
        assert same.mean() > 0.95  # both end within the tolerance of one optimum
    assert (predicted == LABELS).mean() > 0.6


def test_labels_by_chance_are_predicted_by_chance():
    predicted, _ = nested(ROWS, RANDOM.permutation(LABELS), folds=5, inner=3, seed=0)
    assert abs((predicted == LABELS).mean() - 1 / 3) < 0.15


def test_of_penalties_that_are_equally_good_the_largest_is_taken():
    clear = 50 * np.eye(3)[LABELS]
    assert nested(clear, LABELS, folds=3, inner=2, penalties=[0.001, 0.0001], seed=0)[1] == [0.001] * 3
    assert on_inner_folds(clear, LABELS, clear[:5], inner=3, penalties=[0.001, 0.0001])[1] == 0.001
    predicted, penalty = on_dev(clear, LABELS, clear, LABELS, clear, penalties=[0.001, 0.0001])
    assert penalty == 0.001 and (predicted == LABELS).all()


def test_dev_chooses_the_penalty_that_is_best_on_dev():
    train, labels = ROWS[:40], RANDOM.integers(3, size=40)  # nothing to learn: the less the better
    weights = Regressions(train, labels).path([10.0])[0]
    expected = weights.classes(ROWS)[:, 0]
    _, penalty = on_dev(train, labels, ROWS[40:], expected[40:], ROWS, penalties=[0.0001, 10.0])
    assert penalty == 10.0


def test_relatedness_finds_scores_that_are_there():
    scores = np.clip(3 + ROWS[:, 0] + 0.3 * RANDOM.normal(size=180), 1, 5)
    parts = ROWS[:100], scores[:100], ROWS[100:140], scores[100:140], ROWS[140:]
    predicted, _ = relatedness(*parts, low=1, high=5)
    assert pearson(predicted, scores[140:]) > 0.85
    assert predicted.min() >= 1 and predicted.max() <= 5
    with pytest.raises(InputError, match="scores from 2 to 5, found 1 to 5"):
        relatedness(*parts, low=2, high=5)


def test_features_of_a_pair_do_not_hang_on_its_order():
    a, b = ROWS[:4], ROWS[4:8]
    assert pair_features(a, b).shape == (4, 16)
    np.testing.assert_array_equal(pair_features(a, b), pair_features(b, a))
    np.testing.assert_array_equal(pair_features(a, b)[0], [*np.abs(a[0] - b[0]), *(a[0] * b[0])])


def test_means_of_equal_counts_that_differ_in_the_last_bits_are_equal():
    counts = [[7, 8, 9] * 3, [9, 8, 7] * 3, [8] * 9]
    means = [float(np.mean([count / 11 for count in fold_counts])) for fold_counts in counts]
    assert _largest_best([*means, means[0] + 1e-15, means[0] - 1e-15]) == 4
    assert _largest_best([0.5, 0.75, 0.5]) == 1
