"""The optimiser of timescales, folds, and what an evaluation reads of a trained network."""

import json

import numpy as np
import pytest
import torch
from torch import nn

from repline.corpora.labelled.classified_texts import Text, as_texts
from repline.errors import InputError
from repline.evaluation.classification.scored_runs import of_run
from repline.evaluation.classification.training import SCORES
from repline.evaluation.replication.weighted_draws import weights_of
from repline.systems.lmtgru import settings
from repline.systems.lmtgru.evaluation import counts, of_network
from repline.systems.lmtgru.folds import fold_of
from repline.systems.lmtgru.model import CNNLMTGRU
from repline.systems.lmtgru.recurrence import MultipleTimescaleGRU
from repline.systems.lmtgru.settings import Recipe
from repline.systems.lmtgru.training import TimescaleRMSprop, train
from repline.training.recipes import CPU
from repline.training.run import Run
from tests.evaluation.classification.test_networks import defaults_of_both


def made_texts(number=120):
    """Two signs in each text; the label says which comes first, so a bag of words knows nothing."""
    rng = np.random.default_rng(0)
    texts = []
    for row in range(number):
        words = [f"f{word}" for word in rng.integers(5, size=9)]
        first, second = sorted(rng.choice(9, size=2, replace=False).tolist())
        words[first], words[second] = ("p", "q") if row % 2 else ("q", "p")
        texts.append(Text(str(row), "xy"[row % 2], [words], ("train", "train", "train", "dev", "test")[row // 2 % 5]))
    return as_texts(texts)


def test_timescales_have_steps_of_their_own():
    torch.manual_seed(0)
    model = MultipleTimescaleGRU(3, 4, [1.5, 2.0], 1e-5)
    before = {name: value.detach().clone() for name, value in model.named_parameters()}
    optimiser = TimescaleRMSprop(model.parameters(), 1e-3)
    model(torch.randn(5, 6, 3), torch.full((5,), 6)).square().sum().backward()
    optimiser.step()
    for name, value in model.named_parameters():
        moved = (value - before[name]).abs()
        # the first step of RMSprop is the rate times the gradient's sign over sqrt(1 - decay)
        expected = (1e-5 if name == "timescales" else 1e-3) / 0.1**0.5
        assert moved.max().item() == pytest.approx(expected, rel=0.05)


def test_a_timescale_stops_at_one_and_comes_back():
    tau = nn.Parameter(torch.tensor([1.0, 1.25]))
    tau.learning_rate = 0.1
    weight = nn.Parameter(torch.tensor([0.5]))
    optimiser = TimescaleRMSprop([tau, weight], 0.1)
    for sign in (1.0, 1.0, 1.0):
        tau.grad, weight.grad = torch.full((2,), sign), torch.ones(1)
        optimiser.step()
        assert (tau >= 1).all()
    assert tau.tolist() == [1.0, 1.0]
    assert weight.item() < 0.5
    tau.grad, weight.grad = torch.full((2,), -1.0), torch.ones(1)
    optimiser.step()
    assert (tau > 1).all()


def test_folds_part_the_texts():
    texts = made_texts()
    folds = [fold_of(texts, fold, 5) for fold in range(5)]
    every = sorted(name for ids in texts.ids.values() for name in ids)
    assert sorted(name for fold in folds for name in fold.ids["test"]) == every
    for fold in folds:
        parts = [set(fold.ids[part]) for part in ("train", "dev", "test")]
        assert sorted(set.union(*parts)) == every
        assert sum(map(len, parts)) == len(every)
        assert {part: len(ids) for part, ids in fold.ids.items()} == {"train": 86, "dev": 10, "test": 24}
        assert np.bincount(fold.gold["test"]).tolist() == [12, 12]
    assert fold_of(texts, 1, 5).ids == folds[1].ids
    with pytest.raises(InputError, match="expected at least 121 texts for 121 folds, found 120"):
        fold_of(texts, 0, 121)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder, scratch = tmp_path_factory.mktemp("model"), tmp_path_factory.mktemp("scratch")
    recipe = Recipe(dimensions=8, sentences=1, length=12, minimum_count=1, epochs=6, learning_rate=0.02, batch=12,
        beta2=0.9, units=16, filters=4, hardware=CPU)  # fmt: skip
    network = settings.CNNLMTGRU(kind="lmtgru", filters=8, pool=2, dropout=0.0, timescale_rate=1e-3)
    train(recipe, network, made_texts(), Run(folder / "net", scratch=scratch))
    return folder / "net"


def test_the_network_learns_order_and_keeps_its_timescales(trained):
    record = json.loads((trained / "training.json").read_text())
    assert (record["settings"]["units"], record["settings"]["filters"]) == (16, 8)
    history = record["history"]
    assert history[-1]["train_loss"] < 0.5 * history[0]["train_loss"]
    texts = made_texts()
    measures = of_network(trained, texts, weights_of(24, replicates=3), [5])
    assert measures["timescales"]["fastest"].shape == (4,)
    fastest, slowest = (measures["timescales"][name][0] for name in ("fastest", "slowest"))
    assert 1 <= fastest < slowest
    assert slowest != 1.25
    assert set(measures["by_length"]) == {"below_5", "from_5"}


def test_counts_of_texts():
    assert counts(made_texts()) == {"train": 72, "dev": 24, "test": 24, "labels": 2, "words": 9.0, "majority": 0.5}


def test_what_is_no_trained_network_is_said(trained, tmp_path):
    texts = made_texts()
    weights = weights_of(24, replicates=1)
    with pytest.raises(InputError, match="the probabilities cannot be read"):
        of_network(tmp_path, texts, weights, [])
    (tmp_path / SCORES).write_bytes((trained / SCORES).read_bytes())
    with pytest.raises(InputError, match="this is no trained network"):
        of_network(tmp_path, texts, weights, [])
    with pytest.raises(InputError, match="expected probabilities of 12 documents and 2 labels"):
        of_run(trained / SCORES, made_texts(60), weights_of(12, replicates=1), [])


def test_the_section_has_the_defaults_of_the_network_but_for_sizes():
    of_section, of_network = defaults_of_both(settings.CNNLMTGRU, CNNLMTGRU)
    assert of_section == of_network | {"units": None, "filters": None}
