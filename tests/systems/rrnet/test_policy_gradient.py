"""REINFORCE: it raises what is rewarded."""

import pytest
import torch

from repline.systems.rrnet.policy_gradient import discounted, entropy, policy_gradient_loss


@pytest.mark.parametrize("learned", [False, True])
def test_a_bandit_learns_the_rewarded_action(learned):
    torch.manual_seed(0)
    scores, value = torch.zeros(3, requires_grad=True), torch.zeros(1, requires_grad=True)
    optimiser = torch.optim.Adam([scores, value], 0.05)
    for _ in range(200):
        log_probabilities = scores.log_softmax(0).expand(16, 3)
        actions = torch.multinomial(log_probabilities.detach().exp(), 1)[:, 0]
        loss = policy_gradient_loss(
            log_probabilities,
            actions,
            (actions == 2).float(),
            baseline=value.expand(16) if learned else None,
            baseline_weight=0.5,
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert scores.softmax(0)[2] > 0.9


def test_value_of_the_loss():
    log_probabilities = torch.tensor([[0.5, 0.5], [0.25, 0.75]]).log()
    rewards, actions = torch.tensor([1.0, 3.0]), torch.tensor([0, 1])
    expected = -(-1 * torch.tensor(0.5).log() + 1 * torch.tensor(0.75).log()) / 2
    torch.testing.assert_close(policy_gradient_loss(log_probabilities, actions, rewards), expected)
    counted = torch.tensor([True, False])  # then the mean is the one reward, and nothing is to be learned
    assert policy_gradient_loss(log_probabilities, actions, rewards, counted=counted) == 0
    with_entropy = policy_gradient_loss(log_probabilities, actions, rewards, entropy_weight=0.1)
    torch.testing.assert_close(with_entropy, expected - 0.1 * entropy(log_probabilities).mean())


def test_impossible_actions_give_no_nan():
    scores = torch.randn(4, 3, requires_grad=True)
    allowed = torch.tensor([[True, False, True], [False, False, True], [True, True, True], [True, False, True]])
    log_probabilities = scores.masked_fill(~allowed, -torch.inf).log_softmax(-1)
    actions = torch.tensor([0, 2, 1, 1])  # the last was not taken
    counted = torch.tensor([True, True, True, False])
    loss = policy_gradient_loss(log_probabilities, actions, torch.rand(4), counted=counted, entropy_weight=0.1)
    loss.backward()
    assert loss.isfinite() and scores.grad.isfinite().all()
    assert entropy(log_probabilities)[1] == 0


def test_discounted_rewards():
    rewards = torch.tensor([[1.0, 0.0, 2.0]])
    torch.testing.assert_close(discounted(rewards, 0.5), torch.tensor([[1.5, 1.0, 2.0]]))
