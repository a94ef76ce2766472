"""The multiple-timescale GRU: the hand example, plain GRUs as special cases, limits, and its hand-written gradient."""

import pytest
import torch

from repline.errors import InputError
from repline.systems.lmtgru.recurrence import MultipleTimescaleGRU, step_as_written


@pytest.fixture(autouse=True)
def double():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(before)


def loop(model, sequences, ends, state=None):
    """Every group alone, every step as written."""
    states = []
    for group, timescale in enumerate(model.timescales):
        units = slice(group * model.units, (group + 1) * model.units)
        hidden = torch.zeros(len(sequences), model.units) if state is None else state[:, units]
        kernel = model.kernel[group].transpose(0, 1).flatten(1)
        for step in range(sequences.shape[1]):
            weights = kernel, model.recurrent[group], model.bias[group].flatten()
            moved = step_as_written(sequences[:, step], hidden, *weights, timescale)
            hidden = torch.where((step < ends)[:, None], moved, hidden)
        states.append(hidden)
    return torch.cat(states, dim=1)


def scalar(timescale):
    model = MultipleTimescaleGRU(1, 1, [timescale], 1e-5)
    with torch.no_grad():
        model.kernel.copy_(torch.tensor([0.5, -0.3, 1.0]).view(1, 3, 1, 1))
        model.recurrent.copy_(torch.tensor([0.1, 0.2, 0.7]).view(1, 1, 3))
        model.bias.zero_()
    return model


@pytest.mark.parametrize(
    ("timescale", "expected"), [(1, 0.687069), (1.25, 0.649655), (2, 0.593534), (10, 0.518707), (1e12, 0.5)]
)
def test_the_hand_example(timescale, expected):
    inputs, half = torch.ones(1, 1, 1), torch.full((1, 1), 0.5)
    state = scalar(timescale)(inputs, torch.tensor([1]), half)
    assert state.item() == pytest.approx(expected, abs=1e-6)
    weights = torch.tensor([[0.5, -0.3, 1.0]]), torch.tensor([[0.1, 0.2, 0.7]]), torch.zeros(3)
    assert step_as_written(inputs[0], half, *weights, timescale).item() == pytest.approx(expected, abs=1e-6)


def test_the_hand_gradient():
    model = scalar(1.25)
    model(torch.ones(1, 1, 1), torch.tensor([1]), torch.full((1, 1), 0.5)).backward(torch.ones(1, 1))
    assert model.timescales.grad.item() == pytest.approx(-0.119724, abs=1e-6)


def test_the_loop_is_what_is_written_in_value_and_gradient():
    model = MultipleTimescaleGRU(3, 4, [1.0, 1.25, 3.0], 1e-5)
    sequences, state = torch.randn(5, 6, 3, requires_grad=True), torch.randn(5, 12, requires_grad=True)
    ends = torch.tensor([6, 1, 3, 4, 6])
    inputs = [sequences, state, *model.parameters()]
    ours, written = model(sequences, ends, state), loop(model, sequences, ends, state)
    torch.testing.assert_close(ours, written, atol=1e-12, rtol=1e-10)
    output_gradient = torch.randn_like(ours)
    for mine, theirs in zip(
        torch.autograd.grad(ours, inputs, output_gradient),
        torch.autograd.grad(written, inputs, output_gradient),
        strict=True,
    ):
        torch.testing.assert_close(mine, theirs, atol=1e-12, rtol=1e-9)


def test_the_gradient_of_a_timescale_is_the_finite_difference():
    model = MultipleTimescaleGRU(2, 3, [1.5, 2.0], 1e-5)
    sequences, ends = torch.randn(4, 3, 2), torch.tensor([3, 3, 2, 3])

    def value(timescales):
        return torch.func.functional_call(model, {"timescales": timescales}, (sequences, ends)).square().sum()

    timescales_now, distance = model.timescales.detach(), 1e-6
    gradient = torch.autograd.grad(value(model.timescales), model.timescales)[0]
    for group in range(2):
        moved = distance * torch.eye(2)[group]
        difference = (value(timescales_now + moved) - value(timescales_now - moved)) / (2 * distance)
        assert gradient[group].item() == pytest.approx(difference.item(), rel=1e-6)


def test_at_one_with_diagonal_candidates_it_is_the_gru_of_torch():
    model, peer = MultipleTimescaleGRU(3, 4, [1.0]), torch.nn.GRU(3, 4, batch_first=True)
    with torch.no_grad():
        model.recurrent[0, :, 8:] = torch.diag(torch.randn(4))  # r * (W h) = W (r * h)
        peer.weight_ih_l0.copy_(model.kernel[0].transpose(1, 2).flatten(0, 1))
        peer.weight_hh_l0.copy_(model.recurrent[0].T)
        peer.bias_ih_l0.copy_(model.bias.flatten())
        peer.bias_hh_l0.zero_()
    sequences = torch.randn(5, 9, 3)
    ours = model(sequences, torch.full((5,), 9))
    torch.testing.assert_close(ours, peer(sequences)[1][0], atol=1e-6, rtol=1e-6)


def test_groups_at_one_are_a_block_diagonal_gru_and_their_order_is_that_of_the_output():
    groups, block = MultipleTimescaleGRU(3, 4, [1.0, 1.0]), MultipleTimescaleGRU(3, 8, [1.0])
    swapped = MultipleTimescaleGRU(3, 4, [1.0, 1.0])
    with torch.no_grad():
        block.recurrent.zero_()
        for group in range(2):
            units = slice(4 * group, 4 * group + 4)
            block.kernel[0, :, :, units] = groups.kernel[group]
            for gate in range(3):
                columns = slice(8 * gate + 4 * group, 8 * gate + 4 * group + 4)
                block.recurrent[0, units, columns] = groups.recurrent[group, :, 4 * gate : 4 * gate + 4]
        for name in ("kernel", "recurrent", "bias"):
            getattr(swapped, name).copy_(getattr(groups, name).flip(0))
    sequences, ends = torch.randn(5, 7, 3), torch.tensor([7, 2, 3, 7, 5])
    states = groups(sequences, ends)
    torch.testing.assert_close(block(sequences, ends), states, atol=1e-12, rtol=1e-10)
    torch.testing.assert_close(swapped(sequences, ends), states.roll(4, dims=1), atol=1e-12, rtol=1e-10)


def test_slow_units_stay_and_all_stay_within_one():
    first = torch.rand(5, 8) * 2 - 1
    sequences, ends = 20 * torch.randn(5, 30, 3), torch.full((5,), 30)
    states = MultipleTimescaleGRU(3, 4, [1.0, 1e12])(sequences, ends, first)
    torch.testing.assert_close(states[:, 4:], first[:, 4:], atol=1e-9, rtol=0)
    assert (states.abs() <= 1).all()
    assert (states[:, :4] - first[:, :4]).abs().max() > 0.1


def test_steps_behind_the_end_change_nothing():
    model = MultipleTimescaleGRU(3, 4, [1.0, 1.25])
    sequences = torch.randn(2, 6, 3)
    states = model(sequences, torch.tensor([4, 1]))
    torch.testing.assert_close(states[:1], model(sequences[:1, :4], torch.tensor([4])))
    torch.testing.assert_close(states[1:], model(sequences[1:, :1], torch.tensor([1])))


def test_half_precision_outside_leaves_it_in_single():
    torch.set_default_dtype(torch.float32)
    model = MultipleTimescaleGRU(3, 4, [1.0, 1.25], 1e-5)
    sequences, ends = torch.randn(5, 6, 3), torch.full((5,), 6)
    with torch.autocast("cpu", torch.bfloat16):
        states = model(sequences, ends)
    states.sum().backward()
    assert states.dtype == model.kernel.grad.dtype == torch.float32
    torch.testing.assert_close(states, model(sequences, ends), atol=0.05, rtol=0)


@pytest.mark.parametrize("timescales", [[], [1.0, 0.5]])
def test_timescales_below_one_are_refused(timescales):
    with pytest.raises(InputError, match="expected timescales of 1 or more"):
        MultipleTimescaleGRU(3, 4, timescales)
