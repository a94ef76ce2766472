"""REINFORCE: the gradient of an expected reward through the probabilities of the actions that were drawn.

    L = - mean_t [(R_t - b_t) log pi(z_t)] - lambda mean_t H(pi_t) + w mean_t (R_t - b_t)^2

The last term is there with a learned baseline. Larger rewards are better: for a language model the reward is
log p of the next word, not minus log p as the RRNet paper prints.

Source: Williams 1992; Jacob et al. 2018, section 2.
"""

import torch
from torch import Tensor


def policy_gradient_loss(
    log_probabilities: Tensor,
    actions: Tensor,
    rewards: Tensor,
    *,
    counted: Tensor | None = None,
    baseline: Tensor | None = None,
    entropy_weight: float = 0.0,
    baseline_weight: float = 0.0,
) -> Tensor:
    """The loss whose gradient raises the probability of actions with rewards above the baseline.

    Args:
        log_probabilities: [..., A]; -inf where an action is not possible.
        actions: int64 [...], what was drawn.
        rewards: [...], the higher the better; no gradient passes.
        counted: bool [...], decisions that were taken; all by default.
        baseline: [...] that a network expects; the mean of the rewards by default.
        entropy_weight: lambda.
        baseline_weight: w; gradients of the baseline come from this term alone.

    Returns:
        A scalar; zero where no decision was taken.
    """
    counted = torch.ones_like(actions, dtype=torch.bool) if counted is None else counted
    number = counted.sum().clamp(min=1)

    def mean(values: Tensor) -> Tensor:
        return torch.where(counted, values, 0).sum() / number

    rewards = rewards.detach()
    expected = mean(rewards).expand_as(rewards) if baseline is None else baseline
    taken = log_probabilities.gather(-1, actions[..., None])[..., 0]
    loss = -mean((rewards - expected.detach()) * torch.where(counted, taken, 0))
    if entropy_weight:
        loss = loss - entropy_weight * mean(entropy(log_probabilities))
    if baseline is not None and baseline_weight:
        loss = loss + baseline_weight * mean((rewards - expected) ** 2)
    return loss


def entropy(log_probabilities: Tensor) -> Tensor:
    """H = - sum p log p in nats, of log-probabilities [..., A]; some may be -inf."""
    finite = log_probabilities.masked_fill(log_probabilities == -torch.inf, 0)  # 0 log 0 = 0, with a gradient of 0
    return -(log_probabilities.exp() * finite).sum(-1)


def discounted(rewards: Tensor, discount: float) -> Tensor:
    """R_t = r_t + discount R_{t+1}: [B, T] -> [B, T]."""
    total = torch.zeros_like(rewards[:, 0])
    sums = []
    for reward in reversed(rewards.unbind(1)):
        total = reward + discount * total
        sums.append(total)
    return torch.stack(sums[::-1], 1)
