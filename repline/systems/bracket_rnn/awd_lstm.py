"""AWD-LSTM: a tied LSTM language model with dropout on weights, words and every layer; without them, the plain one.

    x_t       = E[w_t]
    h^l_t     = LSTM_l(h^{l-1}_t; h^l_{t-1}, c^l_{t-1}),   h^0 = x,   layers of d_1 .. d_L units, d_L = d_0
    logits_t  = E h^L_t + b

In training: DropConnect on the hidden-to-hidden weights; one mask per sequence (variational) on the input and on the
output of every layer; whole words of E dropped; and the penalty

    alpha mean |m * h^L|^2 + beta mean |h^L_t - h^L_{t-1}|^2        (activation, temporal activation regularisation)

Notation: V words, d embedding size, B sequences, T steps.

Source: Merity, Keskar & Socher 2018, "Regularizing and Optimizing LSTM Language Models", section 3 and 4.
"""

from itertools import pairwise
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, embedding, linear

from repline.pretrained import DescribedModel

LSTMState = tuple[tuple[Tensor, Tensor], ...]  # per layer (h [B, d_l], c [B, d_l])


class AWDLSTM(nn.Module, DescribedModel):
    """The language model.

    Args:
        vocabulary: V.
        embedding: d, also the units of the last layer where weights are tied.
        units: of the other layers.
        layers: L.
        tied: decode with the embedding; else with a matrix of its own, from a last layer of `units`.
        weight_dropout: of the hidden-to-hidden weights (DropConnect).
        input_dropout: between the embedding and the first layer.
        hidden_dropout: between layers.
        output_dropout: after the last.
        word_dropout: of whole words of the embedding.
        alpha, beta: of the penalty.
        uniform: all parameters from U(-uniform, uniform); None for U(-0.1, 0.1) in the embedding and
            U(-1/sqrt(d_l), 1/sqrt(d_l)) in the layers.

    Source: Merity, Keskar & Socher 2018; with `uniform` 0.05 and plain dropout, the model of Zaremba et al. 2014, tied.
    """

    def __init__(
        self,
        vocabulary: int,
        embedding: int = 400,
        units: int = 1150,
        layers: int = 3,
        tied: bool = True,
        weight_dropout: float = 0.0,
        input_dropout: float = 0.0,
        hidden_dropout: float = 0.0,
        output_dropout: float = 0.0,
        word_dropout: float = 0.0,
        alpha: float = 0.0,
        beta: float = 0.0,
        uniform: float | None = None,
    ):
        super().__init__()
        self.vocabulary, self.tied, self.weight_dropout = vocabulary, tied, weight_dropout
        self.input_dropout, self.hidden_dropout = input_dropout, hidden_dropout
        self.output_dropout, self.word_dropout = output_dropout, word_dropout
        self.alpha, self.beta = alpha, beta
        last = embedding if tied else units
        sizes = [embedding, *[units] * (layers - 1), last]  # d_0 .. d_L
        self.embedding = nn.Parameter(torch.empty(vocabulary, embedding).uniform_(-0.1, 0.1))  # [V, d]
        self.layers = nn.ModuleList(nn.LSTM(size, next_size) for size, next_size in pairwise(sizes))
        self.decoder = None if tied else nn.Parameter(torch.empty(vocabulary, last).uniform_(-0.1, 0.1))
        self.bias = nn.Parameter(torch.zeros(vocabulary))  # [V]
        if uniform is not None:
            for parameter in self.parameters():
                nn.init.uniform_(parameter, -uniform, uniform)
        self._penalty: Tensor | None = None

    @property
    def lstms(self) -> list[nn.LSTM]:
        """The layers, each an LSTM."""
        return [cast(nn.LSTM, layer) for layer in self.layers]

    def initial_state(self, batch: int) -> LSTMState:
        """Zeros: per layer (h [B, d_l], c [B, d_l])."""
        return tuple(
            (self.bias.new_zeros(batch, layer.hidden_size), self.bias.new_zeros(batch, layer.hidden_size))
            for layer in self.lstms
        )

    def embed(self, inputs: Tensor) -> Tensor:
        """The word vectors that the first layer reads: [B, T] -> [B, T, d], with the dropout of words and input."""
        table: Tensor = self.embedding
        if self.training and self.word_dropout:
            table = table * dropout(torch.ones_like(table[:, :1]), self.word_dropout)  # whole rows
        return self._locked(embedding(inputs, table), self.input_dropout)

    def forward(self, inputs: Tensor, state: LSTMState) -> tuple[Tensor, LSTMState]:
        """Read words.

        Args:
            inputs: [B, T], integers in 0..V-1.
            state: of `initial_state`, or what an earlier call returned.

        Returns:
            the outputs of the last layer [B, T, d_L], after dropout, and the state after the last word.
        """
        return self.read(self.embed(inputs), state)

    def read(self, vectors: Tensor, state: LSTMState) -> tuple[Tensor, LSTMState]:
        """Run the layers from word vectors [B, T, d] instead of ids."""
        new, values = [], vectors.transpose(0, 1)  # [T, B, d]
        for number, (h, c) in enumerate(state):
            if number:
                values = self._locked(values, self.hidden_dropout, time=0)
            values, h, c = self.recurrence(number, values, h, c)
            new.append((h, c))
        hidden = self._locked(values, self.output_dropout, time=0)
        if self.training and (self.alpha or self.beta):
            self._penalty = self.alpha * hidden.square().mean()
            if len(values) > 1:
                self._penalty = self._penalty + self.beta * (values[1:] - values[:-1]).square().mean()
        return hidden.transpose(0, 1), tuple(new)

    def recurrence(self, layer: int, values: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """One layer over all steps: values [T, B, d_{l-1}], h and c [B, d_l] -> outputs [T, B, d_l], h, c."""
        state = (h[None].contiguous(), c[None].contiguous())  # a GPU's LSTM takes no strides
        values, h, c = torch.lstm(values, state, self.weights(layer), True, 1, 0.0, self.training, False, False)
        return values, h[0], c[0]

    def weights(self, layer: int) -> list[Tensor]:
        """W_ih, W_hh (some of it dropped in training), b_ih and b_hh of a layer, gates in the order i, f, g, o."""
        lstm = self.lstms[layer]
        w_ih, w_hh, b_ih, b_hh = lstm.parameters()
        return [w_ih, dropout(w_hh, self.weight_dropout, self.training and self.weight_dropout > 0), b_ih, b_hh]

    def output(self) -> tuple[Tensor, Tensor]:
        """W [V, d_L] and b [V] of the layer that decodes."""
        return self.embedding if self.decoder is None else self.decoder, self.bias

    def decode(self, hidden: Tensor) -> Tensor:
        """Unnormalised log-probabilities of the next word: [..., d_L] -> [..., V]."""
        return linear(hidden, *self.output())

    def penalty(self) -> Tensor:
        """What the last `forward` in training adds to the loss."""
        penalty, self._penalty = self._penalty, None
        return self.bias.new_zeros(()) if penalty is None else penalty

    def _locked(self, values: Tensor, rate: float, time: int = 1) -> Tensor:
        """Dropout with one mask for all steps of a sequence."""
        if not self.training or not rate:
            return values
        return values * dropout(torch.ones_like(values.narrow(time, 0, 1)), rate)
