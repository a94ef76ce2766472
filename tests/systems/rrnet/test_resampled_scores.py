"""The replicates of RRNet's measurements: groups, runs and pieces of text."""

import numpy as np

from repline.systems.rrnet.resampled_scores import accuracies, accuracies_by_length, perplexities


def test_every_length_has_the_spread_of_its_own_share():
    lengths = np.repeat([3, 5], [400, 100])
    is_correct = np.concatenate([np.arange(400) % 4 > 0, np.arange(100) % 2 > 0])  # 3 of 4, and 1 of 2
    replicates = [
        replicate["accuracy_by_length"] for replicate in accuracies_by_length([is_correct, is_correct], lengths)
    ]
    assert {(*replicate[:3], replicate[4]) for replicate in replicates} == {(None,) * 4}
    third, fifth = (np.array([replicate[length] for replicate in replicates]) for length in (3, 5))
    assert abs(third.mean() - 0.75) < 0.01 and abs(third.std() - np.sqrt(0.75 * 0.25 / 400)) < 0.004
    assert abs(fifth.mean() - 0.5) < 0.02 and abs(fifth.std() - np.sqrt(0.25 / 100)) < 0.01


def test_a_length_of_which_no_item_is_drawn_is_not_measured():
    replicates = accuracies_by_length([np.array([True, False])], np.array([0, 1]))
    assert {tuple(replicate["accuracy_by_length"]) for replicate in replicates} == {
        (1.0, 0.0),
        (1.0, None),
        (None, 0.0),
    }


def test_runs_that_differ_widen_the_replicates():
    same, apart = [np.arange(200) % 2 > 0] * 2, [np.ones(200, dtype=bool), np.zeros(200, dtype=bool)]
    assert np.std([replicate["train"] for replicate in accuracies(same, "train")]) < 0.06
    assert np.std([replicate["train"] for replicate in accuracies(apart, "train")]) > 0.25


def test_perplexity_weighs_pieces_by_their_words():
    pieces = np.array([[2 * np.log(2), 2], [6 * np.log(2), 6]])
    assert all(abs(replicate["perplexity"] - 2) < 1e-9 for replicate in perplexities([pieces]))
    uneven = np.array([[0.0, 1], [3 * np.log(4), 3]])
    replicates = {round(replicate["perplexity"], 6) for replicate in perplexities([uneven])}
    assert replicates == {1.0, 4.0, round(4**0.75, 6)}
