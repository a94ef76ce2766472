"""A linear-chain conditional random field over batches of sequences of different lengths.

    score(x, y) = start[y_1] + Σ_t emission[t, y_t] + Σ_t transition[y_t, y_t+1] + end[y_T]
    p(y | x) = exp score(x, y) / Z(x)

Source: Lafferty, McCallum & Pereira 2001, "Conditional Random Fields"; Rabiner 1989 for the recursions.
"""

import torch
from torch import Tensor, nn


class LinearChainCRF(nn.Module):
    """The transitions of L labels; emissions are given.

    A sequence fills the first places of its row: the mask [B, T] is true there, and true at least at the first place.
    """

    def __init__(self, labels: int):
        super().__init__()
        self.start = nn.Parameter(torch.empty(labels).uniform_(-0.1, 0.1))
        self.end = nn.Parameter(torch.empty(labels).uniform_(-0.1, 0.1))
        self.transition = nn.Parameter(torch.empty(labels, labels).uniform_(-0.1, 0.1))  # from, to

    def forward(self, emissions: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """Log-likelihood of label sequences: [B, T, L], [B, T], [B, T] -> [B]."""
        return self.score(emissions, labels, mask) - self.log_partition(emissions, mask)

    def score(self, emissions: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """The score of label sequences: [B, T, L], [B, T], [B, T] -> [B]; labels outside the mask do not count."""
        labels = labels.where(mask, 0)
        emitted = emissions.gather(2, labels[:, :, None])[:, :, 0].where(mask, 0.0).sum(1)  # [B]
        steps = self.transition[labels[:, :-1], labels[:, 1:]]  # [B, T - 1]
        last = labels.gather(1, mask.sum(1, keepdim=True) - 1)[:, 0]  # [B]
        return self.start[labels[:, 0]] + emitted + steps.where(mask[:, 1:], 0.0).sum(1) + self.end[last]

    def log_partition(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """log Z, the sum over all label sequences, by the forward recursion: [B, T, L], [B, T] -> [B].

        A step is a product of matrices, of numbers at most 1: log Σ_i exp(α_i + A_ij) = m + n + log Σ_i e^(α_i - m)
        e^(A_ij - n), with the largest α_i and A_ij for m and n.
        """
        alpha = self.start + emissions[:, 0]  # [B, L]
        steepest = self.transition.max()
        exponentials = (self.transition - steepest).exp()  # [from, to]
        least = torch.finfo(emissions.dtype).tiny
        for step in range(1, emissions.shape[1]):
            largest = alpha.max(1, keepdim=True).values  # [B, 1]
            sums = (alpha - largest).exp() @ exponentials  # [B, to]
            following = sums.clamp(min=least).log() + largest + steepest + emissions[:, step]
            alpha = following.where(mask[:, step, None], alpha)
        return (alpha + self.end).logsumexp(1)

    @torch.no_grad()
    def viterbi(self, emissions: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The label sequences with the highest score.

        Args:
            emissions: [B, T, L].
            mask: [B, T].

        Returns:
            labels [B, T], 0 outside the mask, and their scores [B].
        """
        best = self.start + emissions[:, 0]  # [B, L]
        stay = torch.arange(best.shape[1], device=best.device).expand_as(best)
        before = []  # for each step after the first, the best label before each label [B, L]
        for step in range(1, emissions.shape[1]):
            following, origins = (best[:, :, None] + self.transition).max(1)
            here = mask[:, step, None]
            best = (following + emissions[:, step]).where(here, best)
            before.append(origins.where(here, stay))
        scores, label = (best + self.end).max(1)  # [B]
        path = [label]
        for origins in reversed(before):
            label = origins.gather(1, label[:, None])[:, 0]
            path.append(label)
        return torch.stack(path[::-1], 1).where(mask, 0), scores
