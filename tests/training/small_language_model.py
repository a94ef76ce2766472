"""A small language model for the tests of training."""

import torch
from torch import nn


class RecurrentModel(nn.Module):
    """A GRU with dropout, and a penalty when asked for one."""

    def __init__(self, vocabulary=12, units=16, dropout=0.2, weight=0.0):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, units)
        self.recurrence = nn.GRU(units, units, batch_first=True)
        self.dropout, self.decoder, self.weight = nn.Dropout(dropout), nn.Linear(units, vocabulary), weight
        self.states = []  # what it was given, in order

    def initial_state(self, batch):
        return (self.decoder.weight.new_zeros(batch, self.recurrence.hidden_size),)

    def forward(self, inputs, state):
        self.states.append((self.training, state[0].detach().clone(), state[0].requires_grad))
        hidden, last = self.recurrence(self.embedding(inputs), state[0][None])
        return self.dropout(hidden), (last[0],)

    def decode(self, hidden):
        return self.decoder(hidden)

    def penalty(self):
        return self.weight * self.decoder.weight.square().sum()


def model(seed=0, **options):
    torch.manual_seed(seed)
    return RecurrentModel(**options)
