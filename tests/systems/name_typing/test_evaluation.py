"""Measures compared with scikit-learn, the hand example of the task, groups, thresholds, constant predictions."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score

from repline.evaluation.replication.weighted_draws import weights_of
from repline.systems.name_typing import evaluation
from repline.systems.name_typing.corpus import Names

ONCE = np.ones((1, 300), np.int64)


def random_sets(seed=0, names=300, types=6):
    rng = np.random.default_rng(seed)
    gold = rng.random((names, types)) < 0.3
    gold[np.arange(names), rng.integers(types, size=names)] = True  # at least one type
    return gold ^ (rng.random(gold.shape) < 0.1), gold


def measured(predicted, gold):
    measures = evaluation.measures(evaluation.name_counts(predicted, gold), ONCE[:, : len(gold)])
    return measures["acc"][0], measures["f1"][0]


def test_the_hand_example():
    gold = np.array([[1, 1, 0, 0], [0, 0, 1, 0]], bool)
    predicted = np.array([[1, 0, 0, 0], [0, 0, 1, 1]], bool)
    assert measured(predicted, gold) == (0, pytest.approx(4 / 6))


def test_measures_are_those_of_scikit_learn_in_every_replicate():
    predicted, gold = random_sets()
    weights = weights_of(300, 5)
    measures = evaluation.measures(evaluation.name_counts(predicted, gold), weights)
    for row, weight in enumerate(weights):
        names = np.repeat(np.arange(300), weight)
        assert measures["f1"][row] == pytest.approx(f1_score(gold[names], predicted[names], average="micro"), abs=1e-12)
        assert measures["acc"][row] == pytest.approx(accuracy_score(gold[names], predicted[names]), abs=1e-12)


def test_perfect_and_empty_predictions():
    _, gold = random_sets()
    assert measured(gold, gold) == (1, 1)
    assert measured(np.zeros_like(gold), gold) == (0, 0)
    assert measured(np.zeros_like(gold), np.zeros_like(gold)) == (1, 0)


def test_groups_by_number_of_types_come_to_the_whole():
    predicted, gold = random_sets()
    counts = evaluation.name_counts(predicted, gold)
    groups = evaluation.by_types(counts, ONCE, least=0)
    sizes = {number: int((gold.sum(1) == int(number)).sum()) for number in groups}
    assert sum(sizes.values()) == 300
    exact = sum(groups[number]["acc"][0] * size for number, size in sizes.items())
    assert exact == pytest.approx(300 * measured(predicted, gold)[0])
    n_right = both = 0.0
    for number in groups:
        group = counts[counts[:, 2] == int(number)]
        n_right, both = n_right + 2 * group[:, 0].sum(), both + group[:, 1:3].sum()
        assert groups[number]["f1"][0] == pytest.approx(2 * group[:, 0].sum() / group[:, 1:3].sum())
    assert n_right / both == pytest.approx(measured(predicted, gold)[1])
    assert set(evaluation.by_types(counts, ONCE, least=50)) == {number for number, size in sizes.items() if size > 50}


def test_the_order_of_the_names_does_not_count():
    predicted, gold = random_sets()
    order = np.random.default_rng(1).permutation(300)
    assert measured(predicted[order], gold[order]) == measured(predicted, gold)


def test_the_threshold_is_the_best_on_dev():
    _, gold = random_sets()
    rng = np.random.default_rng(2)
    probabilities = np.where(gold, 0.28, 0.12) + 0.02 * rng.random(gold.shape)
    assert evaluation.best_threshold(probabilities, gold) == pytest.approx(0.15)


def names_of(gold, covered):
    rows = np.where(covered, np.cumsum(covered) - 1, -1)
    return Names([str(number) for number in range(len(gold))], gold, rows, np.zeros((covered.sum(), 2), np.float32))


def test_names_without_a_vector_have_no_type():
    _, gold = random_sets()
    covered = np.arange(300) % 3 > 0
    every = {split: names_of(gold, covered) for split in ("train", "dev", "test")}
    perfect = gold[covered].astype(float)
    measures = evaluation.classifier_scores(perfect, perfect, every, ONCE, least=20)["half"]
    assert (measures["acc"][0], measures["f1"][0]) == (1, 1)
    assert measures["all_names"]["acc"][0] == pytest.approx(2 / 3)
    assert measures["all_names"]["f1"][0] == pytest.approx(2 * gold[covered].sum() / (gold.sum() + gold[covered].sum()))
    assert measures["few_types"]["f1"][0] == measures["many_types"]["f1"][0] == 1


def test_constant_predictions():
    gold = np.array([[1, 1, 0]] * 5 + [[1, 0, 0]] * 3 + [[0, 0, 1]] * 2, bool)
    every = {split: names_of(gold, np.ones(10, bool)) for split in ("train", "dev", "test")}
    assert evaluation.most_common_set(gold).tolist() == [True, True, False]
    measures = evaluation.constants(every, np.ones((1, 10), np.int64), covered=True)
    assert measures["majority"]["acc"][0] == 0.5
    assert measures["majority"]["f1"][0] == measures["top_2"]["f1"][0] == pytest.approx(2 * 13 / (20 + 15))
    assert measures["best"]["f1"][0] == max(scores["f1"][0] for scores in measures.values())
    assert set(measures) == {"empty", "majority", "top_1", "top_2", "top_3", "best"}
