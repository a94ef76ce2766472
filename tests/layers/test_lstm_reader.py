"""LSTMs over sequences of different lengths, against torch's packed ones."""

import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from repline.layers.lstm_reader import both_last_outputs, last_outputs, read_sequences


def packed(lstm, inputs, lengths, start=None):
    packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
    outputs, (last, _) = lstm(packed, None if start is None else tuple(part[None] for part in start))
    return pad_packed_sequence(outputs, batch_first=True, total_length=inputs.shape[1])[0], last


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("bidirectional", [True, False])
def test_outputs_and_gradients_are_those_of_packed_sequences(bidirectional, layers, bias):
    torch.manual_seed(0)
    lstm = nn.LSTM(3, 4, layers, batch_first=True, bidirectional=bidirectional, bias=bias)
    inputs, lengths = torch.randn(3, 6, 3, requires_grad=True), torch.tensor([2, 5, 1])  # none fills all places
    expected, last = packed(lstm, inputs, lengths)
    outputs = read_sequences(lstm, inputs, lengths)
    assert torch.allclose(outputs, expected, atol=1e-6)
    ends = both_last_outputs if bidirectional else last_outputs
    assert torch.allclose(ends(outputs, lengths), last[-2:].transpose(0, 1).flatten(1) if bidirectional else last[-1])
    above = torch.randn_like(outputs)
    variables = [inputs, *lstm.parameters()]
    wanted = torch.autograd.grad(expected, variables, above)
    for gradient, other in zip(torch.autograd.grad(outputs, variables, above), wanted, strict=True):
        assert torch.allclose(gradient, other, atol=1e-5)


def test_a_start_is_read_forward_alone():
    torch.manual_seed(0)
    lstm, inputs, lengths = nn.LSTM(3, 4, batch_first=True), torch.randn(3, 6, 3), torch.tensor([2, 6, 4])
    start = torch.randn(3, 4), torch.randn(3, 4)
    assert torch.allclose(
        read_sequences(lstm, inputs, lengths, start), packed(lstm, inputs, lengths, start)[0], atol=1e-6
    )
    with pytest.raises(ValueError, match="reads forward"):
        read_sequences(nn.LSTM(3, 4, batch_first=True, bidirectional=True), inputs, lengths, start)


def test_what_stands_behind_the_ends_has_no_influence():
    lstm, inputs, lengths = (
        nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True),
        torch.randn(2, 5, 3),
        torch.tensor([2, 5]),
    )
    other = inputs.clone()
    other[0, 2:] = 100.0
    assert torch.equal(read_sequences(lstm, inputs, lengths), read_sequences(lstm, other, lengths))


def test_layers_above_the_first_see_dropout_in_training():
    torch.manual_seed(0)
    lstm = nn.LSTM(3, 4, 2, batch_first=True, dropout=0.5)
    inputs, lengths = torch.randn(2, 5, 3), torch.tensor([5, 5])
    assert not torch.equal(read_sequences(lstm, inputs, lengths), read_sequences(lstm, inputs, lengths))
    lstm.eval()
    assert torch.equal(read_sequences(lstm, inputs, lengths), read_sequences(lstm, inputs, lengths))
    assert torch.allclose(read_sequences(lstm, inputs, lengths), lstm(inputs)[0], atol=1e-6)
