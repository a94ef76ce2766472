"""An LSTM over sequences of different lengths, the first layer in both directions, as an encoder for attention."""

from typing import cast

from torch import Tensor, nn

from repline.layers.lstm_reader import both_last_outputs, last_outputs, read_sequences


class LSTMEncoder(nn.Module):
    """Layer 1 reads both ways with h units each; further layers read forward with 2h units.

    Args:
        inputs: features of each place.
        units: h.
        layers: how many.
        dropout: on the input of each layer.
    """

    def __init__(self, inputs: int, units: int, layers: int = 2, dropout: float = 0.0):
        super().__init__()
        self.size = 2 * units
        self.layers = nn.ModuleList([nn.LSTM(inputs, units, batch_first=True, bidirectional=True)])
        self.layers.extend(nn.LSTM(self.size, self.size, batch_first=True) for _ in range(layers - 1))
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """[B, T, inputs], [B] -> the outputs of the last layer [B, T, 2h], zero behind the ends, and its last ones.

        Args:
            lengths: of each sequence, at least 1.

        Returns:
            outputs [B, T, 2h]; and [B, 2h]: the output at the last place, with one layer the last outputs of both
            directions.
        """
        states = inputs
        for layer in self.layers:
            states = read_sequences(cast(nn.LSTM, layer), self.dropout(states), lengths)
        last = both_last_outputs if len(self.layers) == 1 else last_outputs
        return states, last(states, lengths)
