"""Grouped perceptrons compared with separate ones, logistic regression compared with finite differences."""

import numpy as np
import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from repline.systems.name_typing.logistic_regression import fit_logistic, loss_and_gradient
from repline.systems.name_typing.model import LinearTypes, SeparatePerceptrons, SharedPerceptron, Standardised


def test_grouped_perceptrons_are_separate_perceptrons():
    torch.manual_seed(0)
    model = SeparatePerceptrons(d=4, types=3, hidden=5)
    x, y = torch.randn(7, 4), (torch.rand(7, 3) < 0.5).float()
    logits = model(x)
    binary_cross_entropy_with_logits(logits, y, reduction="sum").backward()
    for number in range(3):
        first, second = torch.nn.Linear(4, 5), torch.nn.Linear(5, 1)
        with torch.no_grad():
            first.weight.copy_(model.first[number, :, :4])
            first.bias.copy_(model.first[number, :, 4])
            second.weight.copy_(model.second[number : number + 1])
            second.bias.copy_(model.bias[number : number + 1])
        log_odds = second(first(x).relu())[:, 0]
        assert logits[:, number].tolist() == pytest.approx(log_odds.tolist(), abs=1e-5)
        binary_cross_entropy_with_logits(log_odds, y[:, number], reduction="sum").backward()
        gradient = model.first.grad[number]
        assert torch.allclose(gradient[:, :4], first.weight.grad, atol=1e-5)
        assert torch.allclose(gradient[:, 4], first.bias.grad, atol=1e-5)
        assert torch.allclose(model.second.grad[number], second.weight.grad[0], atol=1e-5)
        assert torch.allclose(model.bias.grad[number], second.bias.grad[0], atol=1e-5)


def test_dimensions_are_standardised_by_the_training_names():
    layer = Standardised(2)
    x = torch.tensor([[1.0, 5.0], [3.0, 5.0]])
    layer.fit(x)
    assert layer(x).tolist() == [[-1.0, 0.0], [1.0, 0.0]]


@pytest.mark.parametrize("kind", [LinearTypes, SeparatePerceptrons, SharedPerceptron])
def test_classifiers_are_saved_with_what_they_standardise_by(kind, tmp_path):
    model = kind(4, 3) if kind is LinearTypes else kind(4, 3, 5)
    x = torch.randn(6, 4)
    model.standardised.fit(3 * x + 1)
    model.save_pretrained(tmp_path)
    assert torch.equal(kind.from_pretrained(tmp_path)(x), model(x))


def test_the_gradient_of_logistic_regression():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(30, 4)), rng.random((30, 3)) < 0.4
    parameters = rng.normal(size=15)
    _, gradient = loss_and_gradient(parameters, x, y, 0.1)
    for column in range(15):
        ends = [loss_and_gradient(parameters + sign * 1e-6 * np.eye(15)[column], x, y, 0.1)[0] for sign in (1, -1)]
        assert (ends[0] - ends[1]) / 2e-6 == pytest.approx(gradient[column], rel=1e-5)
    # of one type without a penalty: X^T (p - y) / M
    weights = parameters.reshape(3, 5)[1]
    p = 1 / (1 + np.exp(-(x @ weights[:4] + weights[4])))
    _, plain = loss_and_gradient(parameters, x, y, 0.0)
    assert plain.reshape(3, 5)[1, :4] == pytest.approx(x.T @ (p - y[:, 1]) / 30, rel=1e-9)


def test_logistic_regression_is_at_the_minimum_that_scikit_learn_finds():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(1)
    x = rng.normal(size=(80, 3))
    y = x @ rng.normal(size=(3, 2)) + rng.normal(size=(80, 2)) > 0.3
    slopes, intercepts = fit_logistic(x, y, 0.05)
    for number in range(2):
        peer = LogisticRegression(C=1 / (0.05 * 80), tol=1e-8).fit(x, y[:, number])
        assert slopes[number] == pytest.approx(peer.coef_[0], abs=1e-3)
        assert intercepts[number] == pytest.approx(peer.intercept_[0], abs=1e-3)


def test_a_type_that_every_name_has_or_none_has_a_finite_minimum():
    y = np.zeros((10, 2), bool)
    y[:, 1] = True
    slopes, intercepts = fit_logistic(np.random.default_rng(0).normal(size=(10, 3)), y, 1e-3)
    assert np.isfinite(slopes).all() and intercepts[0] < 0 < intercepts[1]
