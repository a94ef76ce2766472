import numpy as np
import pytest
import torch

from repline.errors import InputError
from repline.systems.concreteness import training
from repline.systems.concreteness.folds import folds_of, out_of_fold
from repline.systems.concreteness.training import train_networks

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(120, 5))
Y = 3 + X[:, 0] - 0.5 * X[:, 1] + 0.1 * RANDOM.normal(size=120)
SETTINGS = {"svr": {"gamma": None, "c": 1.0, "epsilon": 0.1}, "ffn": {"epochs": 2}}


def test_folds_are_of_one_size_and_follow_the_seed():
    fold = folds_of(100, 3, 0)
    assert np.bincount(fold).tolist() == [34, 33, 33]
    assert (fold == folds_of(100, 3, 0)).all()
    assert (fold != folds_of(100, 3, 1)).any()


def test_a_word_is_predicted_by_the_other_folds(tmp_path):
    fold = folds_of(120, 3, 0)
    rows = np.arange(120)
    methods = ("svr", "svr_narrow", "svr_raw", "ridge", "frequency", "ffn")
    found = out_of_fold(X, rows, {"concreteness": Y}, fold, methods, tmp_path, **SETTINGS)["concreteness"]
    assert set(found) == set(methods)
    changed = Y.copy()
    changed[7] += 100
    other = out_of_fold(X, rows, {"concreteness": changed}, fold, methods, tmp_path, **SETTINGS)["concreteness"]
    same, others = fold == fold[7], fold != fold[7]
    for method in ("svr", "svr_narrow", "svr_raw", "ridge", "ffn"):
        assert (found[method][same] == other[method][same]).all()
    for method in ("svr", "svr_narrow", "ridge", "ffn"):  # where ratings are in their own unit, its error costs no more
        assert (found[method][others] != other[method][others]).all()
    for method in ("svr", "ridge"):
        assert np.corrcoef(found[method], Y)[0, 1] > 0.8
    assert (np.diff(found["frequency"]) < 0).all()
    assert not list(tmp_path.iterdir())  # no checkpoint stays


def test_a_word_without_a_rating_is_left_out(tmp_path):
    gaps = Y.copy()
    gaps[::4] = np.nan
    found = out_of_fold(X, np.arange(120), {"concreteness": Y, "imageability": gaps}, folds_of(120, 3, 0),
                        ("svr", "ffn", "frequency"), tmp_path, **SETTINGS)  # fmt: skip
    for values in found["imageability"].values():
        assert (np.isnan(values) == np.isnan(gaps)).all()
    assert not np.isnan(found["concreteness"]["ffn"]).any()


def test_an_unknown_method(tmp_path):
    with pytest.raises(InputError, match="there is no regressor 'svm'; did you mean 'svr'"):
        out_of_fold(X, np.arange(120), {"concreteness": Y}, folds_of(120, 3, 0), ("svm",), tmp_path, **SETTINGS)


def test_the_loss_is_the_sum_of_the_mean_errors_of_each_network(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(training, "fit", lambda model, loss, batches, **_: seen.append(loss))
    ratings = np.stack([Y, 10 * Y + 5], axis=1)
    model = train_networks(X, list(ratings.T), [np.arange(30), np.arange(40, 60)], tmp_path, dropout=0.0)
    own, there = torch.tensor([[0, 40], [1, 41], [2, 0]]), torch.tensor([[1.0, 1], [1, 1], [1, 0]])  # two of the other
    expected = 0
    for member, words in enumerate(([0, 1, 2], [40, 41])):
        rows = range(30) if member == 0 else range(40, 60)
        mean, deviation = ratings[rows, member].mean(), ratings[rows, member].std()
        errors = (model.predict(X[words])[:, member] - ratings[words, member]) / deviation
        expected += (errors**2).mean()
        assert float(model.rating_mean[member]) == pytest.approx(mean, rel=1e-5)
    assert float(seen[0](model, (own, there)).detach()) == pytest.approx(expected, rel=1e-4)


def test_networks_learn_and_their_rows_set_the_scale(tmp_path):
    rows = [np.arange(100), np.arange(20, 119)]
    model = train_networks(X, [Y, 10 * Y + 5], rows, tmp_path, dropout=0.0, epochs=30, learning_rate=0.01)
    assert not model.training
    for member, (own, y) in enumerate(zip(rows, (Y, 10 * Y + 5), strict=True)):
        assert model.mean[member].numpy() == pytest.approx(X[own].mean(axis=0), abs=1e-6)
        assert float(model.rating_mean[member]) == pytest.approx(y[own].mean(), rel=1e-5)
        assert np.corrcoef(model.predict(X)[own, member], y[own])[0, 1] > 0.95
    again = train_networks(X, [Y, 10 * Y + 5], rows, tmp_path, dropout=0.0, epochs=30, learning_rate=0.01)
    assert all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values(), strict=True))
