"""Brackets matched beforehand take back the states that a stack would give; gradients are finite differences."""

import pytest
import torch

from repline.layers.stacked_state import StackedState
from repline.systems.bracket_rnn.bracket_matching import Brackets
from repline.systems.bracket_rnn.recurrence import bracketed_lstm
from repline.systems.bracket_rnn.state_merge import StateMerge
from tests.systems.bracket_rnn.test_model import CLOSE, OPEN, random_lines


def matched_by_a_stack(lines, cut):
    """The states (row, step before the opening bracket) that closing brackets take back, by steps, then by rows.

    With `cut`, from there on only; what was opened before it comes as its place among what is carried.
    """
    stack = StackedState(len(lines), 20, 2, like=torch.zeros(1, dtype=torch.double))
    taken, rows = [], torch.arange(len(lines), dtype=torch.double)
    for step, symbols in enumerate(lines.T):
        stack.push(symbols == OPEN, torch.stack([rows, torch.full_like(rows, step)], 1))
        closing = (symbols == CLOSE).nonzero()[:, 0]
        popped = stack.pop(closing).long().tolist()
        if step >= cut:
            taken += popped
    return taken


@pytest.mark.parametrize("cut", [0, 9, 17])
def test_sources_are_those_of_a_stack(cut):
    lines = random_lines(7, 40, seed=2)
    carried, before = None, None
    if cut:
        carried = StackedState(7, 20, 2, like=torch.zeros(1, dtype=torch.double))
        rows = torch.arange(7, dtype=torch.double)
        for step, symbols in enumerate(lines.T[:cut]):
            carried.push(symbols == OPEN, torch.stack([rows, torch.full_like(rows, step)], 1))
            carried.pop(symbols == CLOSE)
        before = carried.cells.flatten(0, 1).long().tolist()
        assert carried.sizes.any()
    part = lines[:, cut:]
    brackets = Brackets.of(part == OPEN, part == CLOSE, carried)
    states = [[row, step + cut] for step in range(part.shape[1] + 1) for row in range(7)]
    state_names = (before or []) + states
    assert [state_names[source] for source in brackets.sources.tolist()] == matched_by_a_stack(lines, cut)
    opened = [state_names[saved[depth - 1]] for saved, depth in zip(brackets.open, brackets.depths, strict=True)]
    assert opened == matched_by_a_stack(lines, cut)  # its own is the last of those that are open
    assert brackets.first[-1] == len(brackets.sources) == int((part == CLOSE).sum())
    assert brackets.still_open.shape == (7, 0) and not brackets.sizes.any()


@pytest.mark.parametrize("merge", ["separate", "joint", "hidden", "restore", "keep"])
@pytest.mark.parametrize("steps", [True, False])
@pytest.mark.parametrize("attention", [True, False])
def test_gradients_are_those_of_finite_differences(merge, steps, attention):
    torch.manual_seed(0)
    lines = random_lines(3, 8, seed=4)[:, :7]  # some are left open
    lines[0] = torch.tensor([OPEN, OPEN, 5, CLOSE, CLOSE, OPEN, 6])
    brackets = Brackets.of(lines == OPEN, lines == CLOSE, None)
    net = StateMerge(merge, 2, 3, attention=attention).double()
    if attention:
        torch.nn.init.normal_(net.query)
    arguments = [torch.randn(7, 3, 8), torch.randn(8, 2), torch.randn(3, 2), torch.randn(3, 2)]
    arguments = [tensor.double().requires_grad_() for tensor in arguments]

    def run(gates, w_hh, h, c, *_):
        raw, merged, state, left = bracketed_lstm(gates, w_hh, (h, c), None, brackets, net, steps=steps)
        open_states = left.cells[torch.arange(left.depth) < left.sizes[:, None]]
        return raw, merged, *state, open_states

    assert torch.autograd.gradcheck(run, (*arguments, *net.parameters()))


@pytest.mark.parametrize("merge", ["separate", "joint", "hidden"])
def test_a_small_start_is_as_wide_as_a_layer_has_inputs(merge):
    torch.manual_seed(0)
    for net in StateMerge(merge, 6, 200).nets:
        for weight in net:
            bound = weight.shape[1] ** -0.5  # [outputs, inputs]
            assert 0.95 * bound < float(weight.detach().abs().max()) <= bound
