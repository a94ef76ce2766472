"""The decoder of ESIM: align the states of two sentences, compare, compose, classify.

    e_ij = c^P_i . c^H_j        c~^P_i = sum_j softmax_j(e_ij) c^H_j, and the other way round
    m = [c, c~, c - c~, c * c~] -> ReLU projection -> bi-SRU -> [mean; max] over time of both -> tanh -> labels

Source: Chen, Zhu, Ling, Wei, Jiang & Inkpen 2017, "Enhanced LSTM for natural language inference", sections 3.2 and 3.3.
"""

import torch
from torch import Tensor, nn

from repline.layers.fast_dropout import FastDropout
from repline.layers.linear import Linear
from repline.layers.sru import BiSRU


class Decoder(nn.Module):
    """ESIM after its input encoding: logits from the states of two sentences.

    Args:
        size: features n of the states.
        projected: of the comparison.
        units: of each direction of the composition.
        hidden: of the layer before the labels.
        labels: number of classes.
        dropout: on the input of every layer.
    """

    def __init__(self, size: int, projected: int, units: int, hidden: int, labels: int, dropout: float):
        super().__init__()
        self.projection = Linear(4 * size, projected)
        self.composition = BiSRU(projected, units, dropout=dropout)
        self.hidden = nn.Linear(4 * self.composition.size, hidden)
        self.labels = nn.Linear(hidden, labels)
        self.dropout = FastDropout(dropout)
        for layer in (self.projection, self.hidden, self.labels):
            nn.init.xavier_normal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """[2B, T, n], [2B, T], the premises first and then their hypotheses -> logits [B, labels]."""
        premise, hypothesis = states.chunk(2)
        premise_mask, hypothesis_mask = mask.chunk(2)
        scores = premise @ hypothesis.mT  # [B, T, T]
        to_hypothesis = scores.masked_fill(~hypothesis_mask[:, None], -torch.inf).softmax(2) @ hypothesis
        to_premise = scores.mT.masked_fill(~premise_mask[:, None], -torch.inf).softmax(2) @ premise
        aligned = torch.cat([to_hypothesis, to_premise])
        compared = torch.cat([states, aligned, states - aligned, states * aligned], 2)
        projected = torch.relu(self.projection(self.dropout(compared)))
        composed = self.composition(projected, mask)  # [2B, T, 2 units]
        mean = composed.sum(1) / mask.sum(1, keepdim=True)
        largest = composed.masked_fill(~mask[:, :, None], -torch.inf).amax(1)
        pooled = torch.cat([*mean.chunk(2), *largest.chunk(2)], 1)
        return self.labels(self.dropout(torch.tanh(self.hidden(self.dropout(pooled)))))
