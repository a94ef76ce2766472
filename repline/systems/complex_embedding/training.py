"""The loss of the complex networks and the real one; their optimiser is `repline.training.optimizers.unit_row_adam`."""

import torch
from torch import Tensor, nn

NEAREST = 1e-12  # to the probability 1, in logarithms


def own_label_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Binary cross-entropy of every label's own probability with whether it is the gold one, mean over both.

    Args:
        model: gives the logarithms of these probabilities, [B, C].
        batch: (numbers [B, m], labels [B]).

    Source: the authors' program, `binary_crossentropy` over one-hot labels.
    """
    ids, gold = batch
    log_shares = model(ids).clamp(max=-NEAREST)
    others = torch.log(-torch.expm1(log_shares))
    right = nn.functional.one_hot(gold, log_shares.shape[1]).bool()
    return -torch.where(right, log_shares, others).mean()
