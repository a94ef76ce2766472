"""Iterated dilated convolutions over sequences: a wide context from few layers, whose weights every turn shares.

Source: Strubell, Verga, Belanger & McCallum 2017, "Fast and Accurate Entity Recognition with Iterated Dilated
Convolutions", section 4.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn


class IteratedDilatedConvolution(nn.Module):
    """x <- x + dropout(ReLU(conv_δ(x))) for each dilation δ in turn; and all of it again in each iteration.

    Args:
        features: of each place.
        dilations: distance of the places that a layer looks at; three layers of width 3 with 1, 2, 4 see 15 places.
        width: places that each layer looks at, an odd number.
        iterations: how often the layers are applied.
        dropout: after each layer.
    """

    def __init__(
        self,
        features: int,
        dilations: Sequence[int] = (1, 2, 4),
        width: int = 3,
        iterations: int = 1,
        dropout: float = 0.0,
    ):
        super().__init__()
        if width % 2 == 0:
            raise ValueError(f"the width should be odd, so that a layer has a middle, found {width}")
        self.iterations = iterations
        self.layers = nn.ModuleList(
            nn.Conv1d(features, features, width, dilation=dilation, padding=dilation * (width // 2))
            for dilation in dilations
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs: Tensor, mask: Tensor) -> Tensor:
        """[B, T, f] -> [B, T, f]; what lies outside the mask [B, T] is zero, as beyond the ends of the batch."""
        there = mask[:, None, :].to(inputs.dtype)  # [B, 1, T]
        states = inputs.transpose(1, 2) * there  # [B, f, T]
        for _ in range(self.iterations):
            for layer in self.layers:
                states = (states + self.dropout(torch.relu(layer(states)))) * there
        return states.transpose(1, 2)
