"""Regressors: sizes of the paper, scales by the training words alone, and what a rotation changes."""

import numpy as np
import pytest
import torch
from scipy.stats import ortho_group, spearmanr

from repline.systems.concreteness.regressors import RatingNetworks, linear_coefficients, ridge, support_vectors
from repline.systems.concreteness.settings import SupportVectors
from repline.vectors.alignment import orthogonal_map

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(300, 8)) * np.linspace(0.5, 2, 8) + 1
Y = 400 + 80 * np.tanh(X[:, 0]) + 40 * X[:, 1] + 20 * RANDOM.normal(size=300)
NEW = RANDOM.normal(size=(100, 8)) + 1


@pytest.mark.parametrize(("d", "parameters"), [(300, 42_689), (50, 10_689)])
def test_the_network_has_the_size_of_the_paper(d, parameters):
    assert sum(parameter.numel() for parameter in RatingNetworks(d).parameters()) == parameters


def test_networks_are_deterministic_in_eval_mode_only():
    torch.manual_seed(0)
    model = RatingNetworks(8, dropout=0.5, members=2).eval()
    assert (model.predict(X) == model.predict(X)).all()
    assert model.predict(X).shape == (300, 2)
    model.train()
    assert (model.predict(X) != model.predict(X)).any()


def test_networks_side_by_side_share_nothing():
    torch.manual_seed(0)
    model = RatingNetworks(8, members=3).eval()
    model.standardise_by(1, torch.tensor(X, dtype=torch.float32), torch.tensor(Y, dtype=torch.float32))
    before = model.predict(NEW)
    with torch.no_grad():
        model.weights[0][2] += 1
    after = model.predict(NEW)
    assert (before[:, :2] == after[:, :2]).all()
    assert (before[:, 2] != after[:, 2]).any()
    # one member by hand
    h = (NEW - X.mean(0)) / X.std(0)
    for layer, (weight, bias) in enumerate(zip(model.weights, model.biases, strict=True)):
        h = h @ weight[1].detach().numpy() + bias[1].detach().numpy()
        h = np.maximum(h, 0) if layer < 2 else h
    assert after[:, 1] == pytest.approx(h[:, 0] * Y.std() + Y.mean(), rel=1e-4)


def test_networks_come_back_from_disk(tmp_path, capsys):
    model = RatingNetworks(8, members=2).eval()
    model.standardise_by(0, torch.tensor(X, dtype=torch.float32), torch.tensor(Y, dtype=torch.float32))
    model.save_pretrained(tmp_path / "model")
    assert (RatingNetworks.from_pretrained(tmp_path / "model").eval().predict(NEW) == model.predict(NEW)).all()


def test_constant_dimensions_and_ratings_are_no_division_by_zero():
    model = RatingNetworks(2).eval()
    model.standardise_by(0, torch.ones(5, 2), torch.full((5,), 3.0))
    assert np.isfinite(model.predict(np.ones((4, 2)))).all()


@pytest.mark.parametrize("make", [lambda: support_vectors(8), ridge])
def test_only_the_words_of_training_set_the_scale(make):
    fitted = make().fit(X, Y)
    scaler = fitted.regressor_[0]
    assert scaler.mean_ == pytest.approx(X.mean(axis=0))
    assert scaler.scale_ == pytest.approx(X.std(axis=0))
    assert fitted.transformer_.mean_ == pytest.approx([Y.mean()])
    alone = fitted.predict(NEW[:1])
    far = np.vstack([NEW[:1], 1e3 * NEW[1:]])
    assert fitted.predict(far)[0] == pytest.approx(alone[0])


def test_a_rotation_of_the_standardised_vectors_changes_nothing():
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    rotation = ortho_group.rvs(8, random_state=0)
    plain = support_vectors(8).regressor[-1]
    y = (Y - Y.mean()) / Y.std()
    straight = plain.fit((X - mean) / deviation, y).predict((NEW - mean) / deviation)
    turned = plain.fit((X - mean) / deviation @ rotation, y).predict((NEW - mean) / deviation @ rotation)
    assert turned == pytest.approx(straight, abs=1e-6)


def test_the_unit_of_the_ratings_does_not_matter():
    predictions = support_vectors(8).fit(X, Y).predict(NEW)
    rescaled = support_vectors(8).fit(X, 3 * Y - 700).predict(NEW)
    assert spearmanr(predictions, rescaled).statistic == pytest.approx(1)
    assert rescaled == pytest.approx(3 * predictions - 700, rel=1e-6)
    raw = support_vectors(8, standardise_ratings=False).fit(X, Y / 1000).predict(NEW)
    assert (
        spearmanr(raw, predictions).statistic < 0.999
    )  # unlike this one, for which an error below epsilon costs nothing


def test_the_kernel_is_as_wide_as_the_vectors_are_long():
    assert support_vectors(50).regressor[-1].gamma == 1 / 50
    assert support_vectors(50, SupportVectors(gamma=0.003)).regressor[-1].gamma == 0.003
    assert support_vectors(50, SupportVectors(c=2.0, epsilon=0.2)).regressor[-1].C == 2.0


def test_in_a_turned_language_predictions_are_the_same():
    rotation = ortho_group.rvs(8, random_state=3)
    words = X / np.linalg.norm(X, axis=1, keepdims=True)
    turned = words @ rotation
    w = orthogonal_map(turned[:20], words[:20])
    fitted = support_vectors(8).fit(words[:200], Y[:200])
    assert fitted.predict(turned[200:] @ w) == pytest.approx(fitted.predict(words[200:]), abs=1e-8)


def test_coefficients_find_the_dimension_that_matters():
    y = 5 * X[:, 3] + 0.01 * RANDOM.normal(size=300)
    coefficients = np.abs(linear_coefficients(X, y))
    assert coefficients.argmax() == 3
    assert coefficients[3] > 0.9 * coefficients.sum()
