"""A small classifier on fixed sentence vectors: of one sentence, or of two by their difference and product."""

from collections.abc import Sequence

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn


class SentenceProbe(nn.Module, PyTorchModelHubMixin):
    """One hidden layer and a softmax.

        x = g                          one sentence
        x = [|g₁ - g₂| ; g₁ ∘ g₂]      a pair, the same for both orders
        logits = V tanh(U x + b) + c

    Args:
        d: dimensions of a sentence vector.
        classes: their names, C of them.
        pairs: whether it reads pairs.
        hidden: units.

    Source: Wieting et al. 2016, section 4.2, which Ethayarajh 2018, section 4.4 follows; sizes are not stated there.
    """

    def __init__(self, d: int, classes: Sequence[str], pairs: bool, hidden: int):
        super().__init__()
        self.classes, self.pairs = list(classes), pairs
        self.layers = nn.Sequential(
            nn.Linear(2 * d if pairs else d, hidden), nn.Tanh(), nn.Linear(hidden, len(self.classes))
        )

    def forward(self, first: Tensor, second: Tensor | None = None) -> Tensor:
        """[B, d] (and [B, d] for pairs) -> unnormalised log-probabilities [B, C]."""
        if not self.pairs:
            return self.layers(first)
        if second is None:
            raise ValueError("a probe of pairs needs the vectors of both sentences, found those of the first alone")
        return self.layers(torch.cat([(first - second).abs(), first * second], dim=1))


def score_distribution(scores: Tensor, classes: int) -> Tensor:
    """Scores from 1 to C as distributions over the whole scores, whose mean they are.

        p_i = y - ⌊y⌋ for i = ⌊y⌋ + 1,   ⌊y⌋ - y + 1 for i = ⌊y⌋

    Args:
        scores: [B], within 1..C.
        classes: C.

    Returns:
        [B, C]

    Source: Tai, Socher & Manning 2015, section 4.2.
    """
    whole = torch.arange(1, classes + 1, dtype=scores.dtype, device=scores.device)
    return (1 - (scores[:, None] - whole).abs()).clamp(min=0)


def expected_score(logits: Tensor) -> Tensor:
    """The mean of the predicted distribution over the scores 1..C: [B, C] -> [B]."""
    whole = torch.arange(1, logits.shape[1] + 1, dtype=logits.dtype, device=logits.device)
    return logits.softmax(dim=1) @ whole
