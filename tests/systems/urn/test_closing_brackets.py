"""Accuracy of closing brackets: what counts, and the groups it is broken down by."""

import numpy as np
import pytest
import torch

from repline.evaluation.grouped_accuracy import accuracy_by
from repline.systems.urn import dyck
from repline.systems.urn.closing_brackets import closing_accuracy, majority, predicted_closings
from repline.systems.urn.model import URN
from repline.systems.urn.training import after_start


def test_only_closing_symbols_compete():
    logits = np.zeros((1, 2, 12))
    logits[0, :, [0, 10, 11]] = 9  # an opening bracket, the start symbol and padding are likeliest
    logits[0, 0, 3], logits[0, 1, 9] = 1, 2
    assert predicted_closings(logits).tolist() == [[3, 9]]


def test_groups_of_a_string_done_by_hand():
    ids = dyck.encode(["{()[()]}"])
    wrong_at_the_end = ids.copy()
    wrong_at_the_end[0, -1] = 1
    result = closing_accuracy([ids, wrong_at_the_end], ids)
    assert result["accuracy"] == pytest.approx((1 + 3 / 4) / 2)
    assert result["accuracy_range"] == pytest.approx(0.25)
    # closings: ) depth 2, ) depth 3, ] depth 2 with one attractor, } depth 1 with three
    assert result["accuracy_by_attractors"] == [1.0, 1.0, None, 0.5]
    assert result["examples_by_attractors"] == [4, 2, 0, 2]
    assert result["accuracy_by_depth"] == [0.5, 1.0, 1.0]
    assert result["examples_by_distance"][0] == 4  # two pairs, two runs
    assert result["accuracy_by_distance"][6] == 0.5


def test_an_untrained_model_guesses():
    torch.manual_seed(0)
    strings = dyck.draw(2000, pairs=10, depth=None, rng=np.random.default_rng(0))
    shares = []
    for seed in range(5):
        torch.manual_seed(seed)
        model = URN(list(dyck.ALPHABET), list(dyck.ALPHABET)).eval()
        with torch.no_grad():
            logits = model(after_start(torch.from_numpy(strings))).numpy()
        shares.append(closing_accuracy([predicted_closings(logits)], strings)["accuracy"])
    assert np.mean(shares) == pytest.approx(0.20, abs=0.05)


def test_majority_names_the_commonest_closing_of_training():
    train, test = dyck.encode(["()[][]{}"]), dyck.encode(["()[]"])
    assert majority(train, test).tolist() == [[5, 5, 5, 5]]
    assert closing_accuracy([majority(train, test)], test)["accuracy"] == 0.5


def test_groups_start_where_they_are_told_to():
    result = accuracy_by([True, False, True], [1, 2, 2], "depth", first=1)
    assert result["accuracy_by_depth"] == [1.0, 0.5]
    assert result["accuracy_by_depth_low"][0] == pytest.approx(1 / (1 + 1.959964**2), abs=1e-6)
    with pytest.raises(ValueError, match="at least 1"):
        accuracy_by([True], [0], "depth", first=1)
