import numpy as np
import pytest
from sklearn.metrics import f1_score

from repline.evaluation.multi_label import best_thresholds, careful_thresholds, multi_label_f1


def test_f1_by_hand():
    gold = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]], bool)
    predicted = np.array([[1, 0, 0], [1, 0, 0], [1, 0, 1]], bool)
    scores = multi_label_f1(gold, predicted)
    assert scores["micro"] == pytest.approx([0.75])
    assert scores["macro"] == pytest.approx([0.6])


def test_f1_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    gold, predicted = rng.random((40, 7)) < 0.3, rng.random((40, 7)) < 0.4
    gold[0] = True  # every label occurs, as scikit-learn's mean is over all labels
    scores = multi_label_f1(gold, predicted)
    for average in ("micro", "macro"):
        assert scores[average][0] == pytest.approx(f1_score(gold, predicted, average=average, zero_division=0))


def test_a_weight_counts_a_document_so_often():
    rng = np.random.default_rng(1)
    gold, predicted = rng.random((12, 4)) < 0.4, rng.random((12, 4)) < 0.4
    weights = rng.integers(0, 3, (5, 12))
    scores = multi_label_f1(gold, predicted, weights)
    for row, often in enumerate(weights):
        repeated = multi_label_f1(np.repeat(gold, often, axis=0), np.repeat(predicted, often, axis=0))
        assert [scores[name][row] for name in repeated] == pytest.approx([value[0] for value in repeated.values()])


def test_labels_that_no_document_has_are_not_in_the_mean():
    gold, predicted = np.array([[1, 0], [1, 0]], bool), np.array([[1, 1], [1, 0]], bool)
    assert multi_label_f1(gold, predicted)["macro"] == pytest.approx([1])
    assert np.isnan(multi_label_f1(gold[:, 1:], predicted[:, 1:])["macro"][0])
    assert multi_label_f1(gold[:, 1:], predicted[:, :1] & False)["micro"] == pytest.approx([0])


def test_the_threshold_of_the_sheet():
    scores, gold = np.array([[0.9], [0.6], [0.55], [0.2]]), np.array([[1], [0], [1], [0]], bool)
    assert best_thresholds(scores, gold).tolist() == [0.55]


def test_thresholds_are_those_of_every_candidate_tried():
    rng = np.random.default_rng(2)
    for _ in range(20):
        scores = rng.integers(0, 8, (15, 5)) / 8  # with ties
        gold = rng.random((15, 5)) < 0.3
        predicted = best_thresholds(scores, gold)
        for label in range(5):
            tried = {}
            for theta in np.unique(scores[:, label]):
                predicted_now = scores[:, label] >= theta
                tried[theta] = 2 * (predicted_now & gold[:, label]).sum() / (predicted_now.sum() + gold[:, label].sum())
            best = max(tried.values())
            expected = max(theta for theta, f1 in tried.items() if f1 == best) if gold[:, label].any() else 0.5
            assert predicted[label] == expected


def test_a_label_of_few_documents_has_the_threshold_of_all():
    rng = np.random.default_rng(3)
    gold = np.stack([rng.random(250) < 0.4, np.arange(250) == 7], axis=1)
    scores = np.where(gold, rng.uniform(0.4, 1, gold.shape), rng.uniform(0, 0.6, gold.shape))
    scores[:, 1] = rng.uniform(0, 0.02, 250)
    scores[7, 1] = np.sort(scores[:, 1])[-13]  # its only document is the thirteenth
    assert (scores[:, 1] >= best_thresholds(scores, gold)[1]).sum() == 13
    own, shared = careful_thresholds(scores, gold)
    assert own == best_thresholds(scores, gold)[0]
    assert shared > 0.3 and not (scores[:, 1] >= shared).any()
    micro = [multi_label_f1(gold, scores >= threshold)["micro"][0] for threshold in np.unique(scores)]
    assert multi_label_f1(gold, scores >= shared)["micro"][0] == max(micro)
    assert careful_thresholds(scores, gold, least=1).tolist() == best_thresholds(scores, gold).tolist()
