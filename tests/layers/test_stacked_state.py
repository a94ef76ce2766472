"""Stacks in a batch, compared with Python lists, value by value and gradient by gradient."""

import pytest
import torch

from repline.layers.stacked_state import StackedState

BATCH, DEPTH, WIDTH = 5, 3, 4


def moves(seed, steps=40):
    """Random valid moves: for each step the rows that push and, after them, the rows that pop, as bool masks."""
    generator = torch.Generator().manual_seed(seed)
    sizes = torch.zeros(BATCH, dtype=torch.long)
    for _ in range(steps):
        push = (torch.rand(BATCH, generator=generator) < 0.5) & (sizes < DEPTH)
        sizes = sizes + push
        pop = (torch.rand(BATCH, generator=generator) < 0.5) & (sizes > 0)
        sizes = sizes - pop.long()
        yield push, pop


def run(states, seed, as_numbers):
    """A recurrence through the stacks, and the same with a Python list per row."""
    batched = StackedState(BATCH, DEPTH, WIDTH, like=states)
    lists = [[] for _ in range(BATCH)]
    h, reference = states[0], list(states[0])
    outputs, expected = [], []
    for state, (push, pop) in zip(states, moves(seed), strict=False):
        h = torch.tanh(h + state)
        reference = [torch.tanh(row + new) for row, new in zip(reference, state, strict=True)]
        if as_numbers:
            batched.push(push.nonzero()[:, 0], h[push])
            popped = torch.zeros_like(h).index_copy(0, pop.nonzero()[:, 0], batched.pop(pop.nonzero()[:, 0]))
        else:
            batched.push(push, h)
            popped = batched.pop(pop)
        h = h + popped + 0.5 * batched.top()
        for row in range(BATCH):
            if push[row]:
                lists[row].append(reference[row])
            add = lists[row].pop() if pop[row] else 0
            reference[row] = reference[row] + add + (0.5 * lists[row][-1] if lists[row] else 0)
        assert batched.sizes.tolist() == [len(entries) for entries in lists]
        assert batched.empty.tolist() == [not entries for entries in lists]
        assert batched.full.tolist() == [len(entries) == DEPTH for entries in lists]
        outputs.append(h)
        expected.append(torch.stack(reference))
    return torch.stack(outputs), torch.stack(expected), batched


@pytest.mark.parametrize("as_numbers", [False, True])
def test_values_and_gradients_are_those_of_python_lists(as_numbers):
    for seed in range(3):
        states = torch.randn(40, BATCH, WIDTH, dtype=torch.float64, requires_grad=True)
        weights = torch.randn(40, BATCH, WIDTH, dtype=torch.float64)
        ours, lists, _ = run(states, seed, as_numbers)
        torch.testing.assert_close(ours, lists)
        for last in (40, 17):  # the whole graph, and a part of it
            gradients = [
                torch.autograd.grad((out * weights)[:last].sum(), states, retain_graph=True)[0] for out in (ours, lists)
            ]
            torch.testing.assert_close(*gradients)


def test_a_gradient_reaches_the_pushed_state_alone():
    stack = StackedState(2, 2, 3, like=torch.zeros(1))
    pushed = torch.randn(2, 3, requires_grad=True)
    stack.push(torch.tensor([True, False]), pushed)
    popped = stack.pop(torch.tensor([True, False]))
    assert torch.equal(popped[0], pushed[0]) and not popped[1].any()
    popped.sum().backward()
    assert pushed.grad.tolist() == [[1, 1, 1], [0, 0, 0]]


def test_detached_stacks_keep_their_content_and_lose_their_history():
    states = torch.randn(40, BATCH, WIDTH, requires_grad=True)
    *_, stack = run(states, 0, False)
    held = [stack.cells[row, :size].tolist() for row, size in enumerate(stack.sizes)]
    assert any(held)
    later = stack.detach()
    stack.push(~stack.full, torch.full((BATCH, WIDTH), 7.0))  # the old stacks go on without the new ones
    assert [later.cells[row, :size].tolist() for row, size in enumerate(later.sizes)] == held
    assert not later.pop(~later.empty).requires_grad


def test_content_is_carried_with_its_gradient():
    first = StackedState(1, 2, 3, like=torch.zeros(1))
    pushed = torch.randn(1, 3, requires_grad=True)
    first.push(torch.tensor([True]), pushed)
    second = StackedState.of(first.cells, first.sizes)
    second.pop(torch.tensor([0])).sum().backward()
    assert pushed.grad.tolist() == [[1, 1, 1]]


@pytest.mark.parametrize("rows", [torch.tensor([False, True, True]), torch.tensor([2, 1])])
def test_mistakes_name_the_row_and_change_nothing(rows):
    stack = StackedState(3, 1, 2, like=torch.zeros(1))
    state = torch.ones(len(rows), 2)
    stack.push(torch.tensor([2]), torch.full((1, 2), 5.0))
    with pytest.raises(IndexError, match=r"row 2: a push on a stack that is full \(depth 1\)"):
        stack.push(rows, state)
    with pytest.raises(IndexError, match="row 1: a pop of an empty stack"):
        stack.pop(rows)
    assert stack.sizes.tolist() == [0, 0, 1]
    assert stack.pop(torch.tensor([2])).tolist() == [[5, 5]]


def test_no_gradient_mode():
    with torch.inference_mode():
        stack = StackedState(2, 1, 2, like=torch.zeros(1))
        stack.push(torch.tensor([True, True]), torch.ones(2, 2))
        assert stack.top().tolist() == [[1, 1], [1, 1]]
