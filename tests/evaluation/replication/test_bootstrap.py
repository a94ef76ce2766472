import numpy as np
import pytest

from repline.evaluation.replication.bootstrap import (
    bootstrap,
    drawn_items,
    drawn_runs,
    merge_replicates,
    resampled_seeds,
    side_by_side,
)


def accuracy(correct, items):
    return {"accuracy": float(correct[items].mean()), "groups": {"first": [float(correct[items].sum()), None]}}


def test_the_spread_of_a_share_is_the_binomial_one():
    correct = np.arange(400) % 4 > 0  # 300 of 400
    values = [replicate["accuracy"] for replicate in bootstrap(accuracy, [correct], 400, replicates=400)]
    assert abs(np.mean(values) - 0.75) < 0.005
    assert abs(np.std(values) - np.sqrt(0.75 * 0.25 / 400)) < 0.003


def test_two_systems_meet_the_same_items_so_that_their_difference_is_paired():
    first = np.random.default_rng(0).random(500) > 0.5
    second = first.copy()
    second[:5] = ~second[:5]
    differences = [
        replicate["accuracy"] - same_draw["accuracy"]
        for replicate, same_draw in zip(
            bootstrap(accuracy, [first], 500), bootstrap(accuracy, [second, second, second], 500), strict=True
        )
    ]
    assert np.std(differences) < 0.006  # unpaired, it would be 0.03
    assert len(differences) == 200


def test_runs_are_drawn_too():
    runs = [np.zeros(50), np.ones(50)]
    values = [replicate["accuracy"] for replicate in bootstrap(accuracy, runs, 50)]
    assert set(values) == {0.0, 1.0}
    assert bootstrap(accuracy, runs, 50) == bootstrap(accuracy, runs, 50)


@pytest.mark.parametrize("values", [[0.0, 1.0], [0.0, 1.0, 5.0], [2.0, 3.0, 5.0, 7.0, 11.0]])
def test_means_of_few_seeds_spread_as_the_unbiased_variance_says(values):
    seeds = [{"score": {"of": value}} for value in values]
    means = [replicate["score"]["of"] for replicate in resampled_seeds(seeds, 4000)]
    assert np.mean(means) == pytest.approx(np.mean(values), rel=0.05)
    assert np.var(means) == pytest.approx(np.var(values, ddof=1) / len(values), rel=0.1)


def test_a_single_seed_is_its_own_replicate():
    assert resampled_seeds([{"score": 1.0}]) == [{"score": 1.0}] and not resampled_seeds([])
    assert drawn_runs(1, 7).tolist() == [0]


def test_what_a_run_could_not_measure_stays_unmeasured():
    assert bootstrap(accuracy, [np.ones(3)], 3, replicates=1)[0]["groups"]["first"][1] is None


def test_draws_hang_on_the_number_of_the_replicate_alone():
    assert (drawn_items(7, 3) == drawn_items(7, 3)).all()
    assert (drawn_items(70, 3) != drawn_items(70, 4)).any()


def test_groups_stand_side_by_side_or_lie_together():
    first, second = [{"x": 1}, {"x": 2}], [{"y": 3}]
    assert side_by_side(a=first, b=second) == [{"a": {"x": 1}, "b": {"y": 3}}, {"a": {"x": 2}, "b": {}}]
    assert merge_replicates([{"m": first[0]}], [{"m": second[0]}, {"m": first[1]}]) == [
        {"m": {"x": 1, "y": 3}},
        {"m": {"x": 2}},
    ]


def test_groups_are_drawn_whole():
    groups = ["b", "a", "b", "c", "a", "b"]
    rows = []
    bootstrap(lambda _, items: rows.append(items) or {}, [None], 6, replicates=20, groups=groups)
    for items in rows:
        times = np.bincount(items, minlength=6)
        assert times[0] == times[2] == times[5] and times[1] == times[4]
        assert times[0] + times[1] + times[3] == 3


def test_the_spread_of_groups_is_that_of_their_means():
    answers = np.repeat(np.arange(100) % 2, 3)  # three equal answers a group: 100 independent ones, not 300
    values = [row["accuracy"] for row in bootstrap(accuracy, [answers], 300, 400, groups=np.repeat(np.arange(100), 3))]
    assert abs(np.std(values) - 0.05) < 0.006
