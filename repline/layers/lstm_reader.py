"""LSTMs over sequences of different lengths: each is read as if it were alone, forward or in both directions.

On a CPU nothing is packed: a packed LSTM is a chain of small operations there, about half as fast as the fused kernel
that reads whole rows. What is computed behind the end of a sequence is thrown away, and for the backward direction
each sequence is turned around within its own length. On other devices sequences are packed, for their kernels skip
what lies behind the ends.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def read_sequences(
    lstm: nn.LSTM, inputs: Tensor, lengths: Tensor, start: tuple[Tensor, Tensor] | None = None
) -> Tensor:
    """The outputs of the last layer at every place, zero behind the ends: [B, T, e] -> [B, T, D h].

    Args:
        lstm: with `batch_first`, of D directions with h units each.
        inputs: what stands behind the ends has no influence.
        lengths: of each sequence [B], at least 1.
        start: h and c [B, h] before the first place, of an LSTM of one layer that reads forward; None for zeros.

    Raises:
        ValueError: a start for several layers or directions.
    """
    if start is not None and (lstm.bidirectional or lstm.num_layers > 1):
        raise ValueError("a start is for one layer that reads forward")
    if inputs.device.type != "cpu":
        packed = pack_padded_sequence(inputs, lengths.cpu(), batch_first=True, enforce_sorted=False)
        begin = None if start is None else (start[0][None].contiguous(), start[1][None].contiguous())
        return pad_packed_sequence(lstm(packed, begin)[0], batch_first=True, total_length=inputs.shape[1])[0]
    position = torch.arange(inputs.shape[1])
    there = position < lengths[:, None]  # [B, T]
    turned = torch.where(there, lengths[:, None] - 1 - position, position)[:, :, None]  # [B, T, 1], its own inverse
    nothing = inputs.new_zeros(len(inputs), lstm.hidden_size)
    state = [part[None] for part in start or (nothing, nothing)]
    states = inputs
    for layer, directions in enumerate(_weights(lstm)):
        read = dropout(states, lstm.dropout, lstm.training) if layer else states
        each = [torch.lstm(read, state, directions[0], lstm.bias, 1, 0.0, lstm.training, False, True)[0]]
        for weights in directions[1:]:
            backwards = read.gather(1, turned.expand_as(read))
            outputs = torch.lstm(backwards, state, weights, lstm.bias, 1, 0.0, lstm.training, False, True)[0]
            each.append(outputs.gather(1, turned.expand_as(outputs)))
        states = torch.cat(each, 2) if lstm.bidirectional else each[0]
    return states * there[:, :, None]


def last_outputs(outputs: Tensor, lengths: Tensor) -> Tensor:
    """The outputs at the last place of each sequence: of `read_sequences` [B, T, k], lengths [B] -> [B, k]."""
    return outputs[torch.arange(len(outputs), device=outputs.device), lengths.to(outputs.device) - 1]


def both_last_outputs(outputs: Tensor, lengths: Tensor) -> Tensor:
    """The last outputs of two directions, at the last place and at the first: [B, T, 2h], [B] -> [B, 2h]."""
    units = outputs.shape[2] // 2
    return torch.cat([last_outputs(outputs[:, :, :units], lengths), outputs[:, 0, units:]], 1)


def _weights(lstm: nn.LSTM) -> list[list[list[Tensor]]]:
    """W_ih, W_hh, b_ih, b_hh by layer and direction, without the biases where it has none."""
    names = ["weight_ih", "weight_hh", *(("bias_ih", "bias_hh") if lstm.bias else ())]
    directions = ["", "_reverse"] if lstm.bidirectional else [""]
    return [
        [[getattr(lstm, f"{name}_l{layer}{direction}") for name in names] for direction in directions]
        for layer in range(lstm.num_layers)
    ]
