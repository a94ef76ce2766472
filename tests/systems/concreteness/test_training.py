"""Words are predicted by the other folds, and networks side by side as alone."""

import numpy as np
import pytest
import torch

from repline.systems.concreteness import training
from repline.systems.concreteness.rated_words import RatedWords
from repline.systems.concreteness.settings import Recipe, SupportVectors
from repline.systems.concreteness.training import folds_of, out_of_fold, train_networks
from repline.training.run import Run

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(120, 5))
Y = 3 + X[:, 0] - 0.5 * X[:, 1] + 0.1 * RANDOM.normal(size=120)
WORDS = [f"w{number}" for number in range(120)]


def run_in(folder):
    return Run(folder / "model", scratch=folder / "scratch")


def predicted(folder, methods, **ratings):
    rated = RatedWords(WORDS, np.arange(120), X, ratings)
    return out_of_fold(SupportVectors(), Recipe(epochs=2), methods, rated, folds_of(120, 3, 0), run_in(folder))


def test_folds_are_of_one_size_and_follow_the_seed():
    fold = folds_of(100, 3, 0)
    assert np.bincount(fold).tolist() == [34, 33, 33]
    assert (fold == folds_of(100, 3, 0)).all()
    assert (fold != folds_of(100, 3, 1)).any()


def test_a_word_is_predicted_by_the_other_folds(tmp_path):
    fold = folds_of(120, 3, 0)
    methods = ("svr", "svr_narrow", "svr_raw", "ridge", "frequency", "ffn")
    predictions = predicted(tmp_path, methods, concreteness=Y)["concreteness"]
    assert set(predictions) == set(methods)
    changed = Y.copy()
    changed[7] += 100
    predictions_after = predicted(tmp_path, methods, concreteness=changed)["concreteness"]
    same, in_other_folds = fold == fold[7], fold != fold[7]
    for method in ("svr", "svr_narrow", "svr_raw", "ridge", "ffn"):
        assert (predictions[method][same] == predictions_after[method][same]).all()
    for method in ("svr", "svr_narrow", "ridge", "ffn"):  # where ratings are in their own unit, its error costs no more
        assert (predictions[method][in_other_folds] != predictions_after[method][in_other_folds]).all()
    for method in ("svr", "ridge"):
        assert np.corrcoef(predictions[method], Y)[0, 1] > 0.8
    assert (np.diff(predictions["frequency"]) < 0).all()


def test_a_word_without_a_rating_is_left_out(tmp_path):
    gaps = Y.copy()
    gaps[::4] = np.nan
    predictions = predicted(tmp_path, ("svr", "ffn", "frequency"), concreteness=Y, imageability=gaps)
    for values in predictions["imageability"].values():
        assert (np.isnan(values) == np.isnan(gaps)).all()
    assert not np.isnan(predictions["concreteness"]["ffn"]).any()


def test_the_loss_is_the_sum_of_the_mean_errors_of_each_network(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(training, "run", lambda model, loss, *_, **__: seen.append(loss))
    ratings = np.stack([Y, 10 * Y + 5], axis=1)
    model = train_networks(
        Recipe(dropout=0.0), X, list(ratings.T), [np.arange(30), np.arange(40, 60)], run_in(tmp_path)
    )
    # the words of the one network are three, of the other two
    member_rows, there = torch.tensor([[0, 40], [1, 41], [2, 0]]), torch.tensor([[1.0, 1], [1, 1], [1, 0]])
    expected = 0
    for member, words in enumerate(([0, 1, 2], [40, 41])):
        rows = range(30) if member == 0 else range(40, 60)
        mean, deviation = ratings[rows, member].mean(), ratings[rows, member].std()
        errors = (model.predict(X[words])[:, member] - ratings[words, member]) / deviation
        expected += (errors**2).mean()
        assert float(model.rating_mean[member]) == pytest.approx(mean, rel=1e-5)
    assert float(seen[0](model, (member_rows, there)).detach()) == pytest.approx(expected, rel=1e-4)


def test_networks_learn_and_their_rows_set_the_scale(tmp_path):
    rows = [np.arange(100), np.arange(20, 119)]
    recipe = Recipe(dropout=0.0, epochs=30, learning_rate=0.01)
    model = train_networks(recipe, X, [Y, 10 * Y + 5], rows, run_in(tmp_path))
    assert not model.training
    for member, (member_rows, y) in enumerate(zip(rows, (Y, 10 * Y + 5), strict=True)):
        assert model.mean[member].numpy() == pytest.approx(X[member_rows].mean(axis=0), abs=1e-6)
        assert float(model.rating_mean[member]) == pytest.approx(y[member_rows].mean(), rel=1e-5)
        assert np.corrcoef(model.predict(X)[member_rows, member], y[member_rows])[0, 1] > 0.95
    again = train_networks(recipe, X, [Y, 10 * Y + 5], rows, run_in(tmp_path / "again"))
    assert all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values(), strict=True))
