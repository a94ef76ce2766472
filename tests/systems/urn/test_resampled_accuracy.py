"""Accuracies of resampled strings and sentences: what a string holds stays together, seeds are drawn too."""

import numpy as np
import pytest

from repline.systems.urn import dyck
from repline.systems.urn.closing_brackets import closing_accuracy
from repline.systems.urn.number_agreement import agreement_accuracy
from repline.systems.urn.resampled_accuracy import (
    _measured,
    accuracy_replicates,
    agreement_scores,
    closing_scores,
)


def test_every_string_once_is_the_measurement_itself():
    strings = dyck.draw(60, pairs=6, depth=None, rng=np.random.default_rng(0))
    guesses = np.random.default_rng(1).integers(5, size=strings.shape) * 2 + 1
    predicted = np.where(np.random.default_rng(2).random(strings.shape) < 0.7, strings, guesses)
    loss = np.random.default_rng(3).random(60)
    measured = _measured(closing_scores(predicted, strings, loss), np.arange(60))
    expected = closing_accuracy([predicted], strings)
    assert measured["accuracy"] == pytest.approx(expected["accuracy"])
    assert measured["validation_loss"] == pytest.approx(loss.mean())
    for name in ("attractors", "depth"):
        assert measured[f"accuracy_by_{name}"] == pytest.approx(expected[f"accuracy_by_{name}"], abs=1e-6)


def test_a_string_is_drawn_with_all_its_brackets():
    strings = dyck.encode(["(())", "[][]"])
    wrong = strings.copy()
    wrong[0, 2:] = 3
    scores = closing_scores(wrong, strings)
    assert _measured(scores, np.array([0, 0]))["accuracy"] == 0
    assert _measured(scores, np.array([1, 1])) == {
        "accuracy": 1.0,
        "accuracy_by_attractors": [1.0],
        "accuracy_by_depth": [1.0, None],  # no string of depth 2 was drawn
    }


def test_variants_are_measured_on_the_same_draws_and_their_seeds_vary():
    plural, attractors = np.array([0, 1] * 50), np.array([0, 1, 1, 2] * 25)
    seeds = [plural, 1 - plural, 1 - plural]  # all right, all wrong
    models = {
        "one": [agreement_scores(seed, plural, attractors) for seed in seeds],
        "other": [agreement_scores(seed, plural, attractors) for seed in seeds],
    }
    replicates = accuracy_replicates(models, 40)
    assert all(part["one"] == part["other"] for part in replicates)
    assert {part["one"]["accuracy"] for part in replicates} == {0.0, 0.5, 1.0}
    whole = _measured(models["one"][0], np.arange(100))
    assert (
        whole["accuracy_by_attractors"] == agreement_accuracy(seeds[:1], plural, attractors)["accuracy_by_attractors"]
    )
