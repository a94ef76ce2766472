"""The fused recurrence equals a loop over time, in values and gradients, and has the parameters of the paper."""

import pytest
import torch

from repline.layers.fast_dropout import FastDropout
from repline.layers.sru import BiSRU, _doubled, recurrence


def loop_over_time(products, bias, skip):
    """The equations as they are printed, one position after the other."""
    directions = []
    for direction in range(2):
        positions = range(products.shape[1])
        c, outputs = torch.zeros_like(skip[:, 0, 0]), {}
        for t in positions if direction == 0 else reversed(positions):
            new, forget, reset = products[:, t, direction, :3].unbind(1)
            forget, reset = torch.sigmoid(forget + bias[direction, 0]), torch.sigmoid(reset + bias[direction, 1])
            c = forget * c + (1 - forget) * new
            outputs[t] = reset * torch.tanh(c) + (1 - reset) * skip[:, t, direction]
        directions.append(torch.stack([outputs[t] for t in positions], 1))
    return torch.stack(directions, 2)


@pytest.mark.parametrize("matrices", [3, 4])
def test_the_recurrence_is_the_loop(matrices):
    torch.manual_seed(0)
    inputs = [
        torch.randn(3, 5, 2, matrices, 4, dtype=torch.float64, requires_grad=True),
        torch.randn(2, 2, 4, dtype=torch.float64, requires_grad=True),
        torch.randn(3, 5, 2, 4, dtype=torch.float64, requires_grad=True),
    ]
    if matrices == 4:
        inputs[2] = inputs[0][:, :, :, 3]
    states, expected = recurrence(*inputs), loop_over_time(*inputs)
    torch.testing.assert_close(states, expected, rtol=1e-12, atol=1e-12)
    weights = torch.randn_like(states)
    leaves = [tensor for tensor in inputs if tensor.is_leaf]
    gradients = (torch.autograd.grad((out * weights).sum(), leaves) for out in (states, expected))
    for ours, expected in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, expected, rtol=1e-10, atol=1e-10)


def test_doubling_is_the_loop():
    torch.manual_seed(0)
    forget, added = torch.rand(2, 11, 3), torch.randn(2, 11, 3)
    c, states = torch.zeros(2, 3), []
    for t in range(11):
        c = forget[:, t] * c + added[:, t]
        states.append(c)
    torch.testing.assert_close(_doubled(forget, added), torch.stack(states, 1))


def test_padding_changes_nothing():
    torch.manual_seed(0)
    layer, states = BiSRU(6, 4), torch.randn(2, 7, 6)
    mask = torch.arange(7) < torch.tensor([[4], [7]])
    whole = layer(states, mask)
    alone = layer(states[:1, :4], mask[:1, :4])
    torch.testing.assert_close(whole[:1, :4], alone)
    assert (whole[0, 4:] == 0).all()


def test_backward_is_forward_on_the_reversed_sequence():
    torch.manual_seed(0)
    layer, states, mask = BiSRU(6, 4, layers=1), torch.randn(2, 5, 6), torch.ones(2, 5, dtype=torch.bool)
    with torch.no_grad():
        layer.weights[0][1] = layer.weights[0][0]
        forward, reversed_ = layer(states, mask), layer(states.flip(1), mask)
    torch.testing.assert_close(forward[..., 4:], reversed_.flip(1)[..., :4])


def test_gates_that_are_shut_and_open():
    torch.manual_seed(0)
    products, skip = torch.randn(2, 5, 2, 3, 4), torch.randn(2, 5, 2, 4)
    bias = torch.zeros(2, 2, 4)
    bias[:, 0] = 100  # f = 1: c stays 0
    reset = torch.sigmoid(products[:, :, :, 2])
    torch.testing.assert_close(recurrence(products, bias, skip), (1 - reset) * skip)
    bias[:, 0] = -100  # f = 0: c is W x, there is no recurrence
    expected = reset * torch.tanh(products[:, :, :, 0]) + (1 - reset) * skip
    torch.testing.assert_close(recurrence(products, bias, skip), expected)


@pytest.mark.parametrize(("units", "parameters"), [(100, 80_000 + 120_000 + 800), (300, 1_802_400)])
def test_parameters(units, parameters):
    assert sum(parameter.numel() for parameter in BiSRU(units, units).parameters()) == parameters


def test_dropout_is_on_the_input_of_each_layer():
    layer = BiSRU(6, 4, dropout=1.0)
    assert isinstance(layer.dropout, FastDropout)
    assert (layer(torch.randn(1, 3, 6), torch.ones(1, 3, dtype=torch.bool)) == 0).all()
