"""What training rewards and what it sums: the loss of expressions, of pairs of formulas, and of what a policy did."""

from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn.functional import cross_entropy

from repline.systems.rrnet import math_expressions, training
from repline.systems.rrnet.policy_gradient import policy_gradient_loss
from repline.systems.rrnet.settings import ExpressionRecipe, MathExpressions, Policy
from repline.training.run import Run

WEIGHTS = {"policy_weight": 2.0, "entropy_weight": 0.3, "baseline_weight": 0.5}


class Answers(nn.Module):
    """A model that has answered already: scores, and steps of which nothing is known."""

    value = None

    def __init__(self, scores):
        super().__init__()
        self.scores = scores

    def forward(self, *_):
        return self.scores, SimpleNamespace(log_probabilities=None)

    def predict(self, *_):
        return 10 * self.scores[:, 0].argmax(1) + self.scores[:, 1].argmax(1), None


@pytest.fixture
def rewarded(monkeypatch):
    """The rewards that the policy is given, and a term of 100 that it adds."""
    seen = []

    def policy_loss(encoding, right, value, policy):
        seen.append((right.tolist(), policy.model_dump()))
        return 100.0

    monkeypatch.setattr(training, "policy_loss", policy_loss)
    return seen


def test_an_expression_is_right_in_both_digits_and_costs_the_sum_of_both(rewarded):
    torch.manual_seed(0)
    values = torch.tensor([37, 37, 37, 4])
    answers = torch.tensor([[3, 7], [3, 1], [5, 7], [0, 4]])
    scores = 5 * nn.functional.one_hot(answers, 10).float() + torch.rand(4, 2, 10)
    loss = training._expression_loss(Policy(baseline="mean", **WEIGHTS))
    loss_value = loss(Answers(scores), (None, None, values))
    tens, units = cross_entropy(scores[:, 0], values // 10), cross_entropy(scores[:, 1], values % 10)
    torch.testing.assert_close(loss_value, tens + units + 100)
    assert rewarded == [([True, False, False, True], WEIGHTS | {"baseline": "mean"})]
    assert loss(Answers(scores).eval(), (None, None, values)) == 0.5  # the share of wrong values
    assert len(rewarded) == 1


def test_both_formulas_of_a_pair_are_rewarded_for_their_relation(rewarded):
    relations = torch.tensor([2, 0, 1])
    scores = torch.tensor([[0.0, 0.1, 0.5], [0.2, 0.9, 0.1], [0.0, 2.0, 1.0]])
    loss = training._relation_loss(Policy(baseline="mean", **WEIGHTS))
    loss_value = loss(Answers(scores), (None, None, relations, None))
    torch.testing.assert_close(loss_value, cross_entropy(scores, relations) + 100)
    assert rewarded == [([True, True, False, False, True, True], WEIGHTS | {"baseline": "mean"})]
    assert loss(Answers(scores).eval(), (None, None, relations, None)) == pytest.approx(1 / 3)


def steps():
    torch.manual_seed(1)
    log_probabilities = torch.randn(2, 4, 3).log_softmax(-1)
    decided = torch.tensor([[True, True, False, True], [True, False, False, False]])
    decisions = SimpleNamespace(actions=torch.randint(0, 3, (2, 4)), decided=decided)
    return SimpleNamespace(log_probabilities=log_probabilities, decisions=decisions, before=torch.randn(2, 4, 5))


def test_given_operations_are_learnt_by_cross_entropy_where_they_were_decided():
    encoding = steps()
    loss_value = training.policy_loss(encoding, torch.tensor([True, False]), None, Policy(**WEIGHTS))
    taken = [encoding.log_probabilities[row, step, encoding.decisions.actions[row, step]] for row, step in
             ((0, 0), (0, 1), (0, 3), (1, 0))]  # fmt: skip
    torch.testing.assert_close(loss_value, -2 * torch.stack(taken).mean())


@pytest.mark.parametrize("baseline", ["value", "mean"])
def test_drawn_operations_are_rewarded_at_every_step_against_what_was_expected(baseline):
    encoding, value = steps(), nn.Linear(5, 1)
    loss_value = training.policy_loss(
        encoding, torch.tensor([True, False]), value, Policy(baseline=baseline, **WEIGHTS)
    )
    expected = policy_gradient_loss(
        encoding.log_probabilities,
        encoding.decisions.actions,
        torch.tensor([[1.0], [0.0]]).expand(2, 4),
        counted=encoding.decisions.decided,
        baseline=value(encoding.before)[..., 0] if baseline == "value" else None,
        entropy_weight=0.3,
        baseline_weight=0.5,
    )
    torch.testing.assert_close(loss_value, 2 * expected)


def test_a_training_killed_after_its_first_number_of_epochs_ends_in_the_same_models(tmp_path, monkeypatch):
    corpus = tmp_path / "corpus"
    math_expressions.generate(
        corpus, MathExpressions(lengths=[2], train=40, validation=10, test=10, seed=1, operators="+-")
    )
    recipe = ExpressionRecipe(
        encoder="lstm", embedding=4, units=5, lengths=[2], batch=8, learning_rate=0.01, epochs=[1, 3], seeds=[0]
    )
    training.train_expressions(recipe, corpus, Run(tmp_path / "whole", scratch=tmp_path / "a"))

    class KilledError(Exception):
        pass

    original = training.fit

    def until_two(*arguments, **named):
        if named["epochs"] < 3:
            return original(*arguments, **named)
        original(*arguments, **(named | {"epochs": 2}))
        raise KilledError

    monkeypatch.setattr(training, "fit", until_two)
    with pytest.raises(KilledError):
        training.train_expressions(recipe, corpus, Run(tmp_path / "again", scratch=tmp_path / "b"))
    assert not (tmp_path / "again").exists()
    monkeypatch.setattr(training, "fit", original)
    training.train_expressions(recipe, corpus, Run(tmp_path / "again", scratch=tmp_path / "b"))
    for number in (1, 3):
        uninterrupted, resumed = (
            load_file(tmp_path / side / f"after-{number}" / "model.safetensors") for side in ("whole", "again")
        )
        assert all(torch.equal(uninterrupted[name], resumed[name]) for name in uninterrupted)
