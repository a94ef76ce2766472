"""The steps of RRNet over a whole batch as one function with its own gradient: a schedule in, all states out.

    gates   = inputs + h W_hh           sigma for i, f, o and tanh for g
    c, h    = f c' + i g,  o tanh(c)
    merge   h' = tanh([h; h_popped] W_h + b_h),  c' = [c; c_popped] W_c + b_c (or c, where the memory is carried)

Automatic differentiation would keep some thirty small tensors and as many functions a step. Here a step is a gather,
one product a cell and the pointwise part of all rows at once; gradients of the weights are a product a cell at the end.

Notation: B rows, d units, R evaluations of cells in all steps, states are [h, c] of width 2d.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import Function, once_differentiable

from repline.algebra.full_precision import full_precision
from repline.systems.rrnet.schedule import Schedule

DOWN, SPLIT, RECUR, MERGE = range(4)  # F1, F2, F3, F4
_sigmoid_backward = torch.ops.aten.sigmoid_backward.grad_input
_tanh_backward = torch.ops.aten.tanh_backward.grad_input


def recurrence(
    plan: Schedule,
    inputs: Tensor,
    which: Tensor,
    start: Tensor,
    hidden: Tensor,
    merge_state: tuple[Tensor, Tensor],
    merge_memory: tuple[Tensor, Tensor] | None,
) -> Tensor:
    """All states of a batch.

    Args:
        plan: of `repline.systems.rrnet.schedule.schedule`.
        inputs: [N, 4d], what an input adds to the gates i, f, o, g of a cell (note the order).
        which: int64 [R], the row of `inputs` for each evaluation.
        start: [plan.start, 2d], the states before the first step, then the stacks.
        hidden: [4, d, 4d], W_hh of F1 to F4, gates in the same order.
        merge_state: W_h [2d, d], b_h [d].
        merge_memory: W_c [2d, d], b_c [d]; None to carry c.

    Returns:
        [plan.rows, 2d], laid out as the schedule says, with gradients to every tensor given.
    """
    weights = (*merge_state, *(merge_memory or (None, None)))
    return _Recurrence.apply(plan, inputs, which, start, hidden, *weights)


@full_precision
class _Recurrence(Function):
    @staticmethod
    def forward(
        ctx: Any,
        plan: Schedule,
        inputs: Tensor,
        which: Tensor,
        start: Tensor,
        hidden: Tensor,
        state_weight: Tensor,
        state_bias: Tensor,
        memory_weight: Tensor | None,
        memory_bias: Tensor | None,
    ) -> Tensor:
        d = hidden.shape[1]
        states = start.new_empty(plan.rows, 2 * d)
        states[: plan.start] = start
        read = start.new_empty(len(plan.gather), 2 * d)
        gates, curved = start.new_empty(len(which), 4 * d), start.new_empty(len(which), d)
        pairs = start.new_empty(2, sum(step.merge for step in plan.steps), 2 * d)  # [h; h_popped], [c; c_popped]
        view = _Views(plan, d)
        weights = hidden.unbind()
        rows = zip(
            plan.gather.split(view.gathered),
            read.split(view.gathered),
            view.cells(read[:, :d], read[:, d:]),
            zip(view.evaluations(gates), which.split(view.evaluated), strict=True),
            view.active(gates, gates[:, : 3 * d], *gates.split(d, 1), curved),
            view.worked(read[:, d:]),
            view.blocks(states[:, :d], states[:, d:]),
            zip(pairs[0].split(view.merges), pairs[1].split(view.merges), strict=True),
            strict=True,
        )
        for gather_rows, block, (h_read, c_read), (cells, which_now), active, memory, (h, c), (h_pair, c_pair) in rows:
            torch.index_select(states, 0, gather_rows, out=block)
            if len(h_pair):
                torch.cat([h_read[1], h_read[5]], 1, out=h_pair)
                h_read[1].copy_(torch.addmm(state_bias, h_pair, state_weight).tanh_())
                if memory_weight is not None and memory_bias is not None:
                    torch.cat([c_read[1], c_read[5]], 1, out=c_pair)
                    c_read[1].copy_(torch.addmm(memory_bias, c_pair, memory_weight))
            gate, sigmas, i, f, o, g, curve = active
            torch.index_select(inputs, 0, which_now, out=gate)
            for slot, cell in _SLOTS:
                if len(cells[slot]):
                    cells[slot].addmm_(h_read[slot + 1], weights[cell])
            sigmas.sigmoid_()
            g.tanh_()
            if len(h[0]):
                h[0].copy_(h_read[0])
                c[0].copy_(c_read[0])
            torch.mul(f, memory, out=c[1])
            c[1].addcmul_(i, g)
            torch.tanh(c[1], out=curve)
            torch.mul(o, curve, out=h[1])
        ctx.plan, ctx.inputs = plan, len(inputs)
        ctx.save_for_backward(which, hidden, state_weight, memory_weight, read, gates, curved, pairs)
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        plan: Schedule = ctx.plan
        which, hidden, state_weight, memory_weight, read, gates, curved, pairs = ctx.saved_tensors
        batch, d = plan.after.shape[0], hidden.shape[1]
        weights = hidden.mT.contiguous().unbind()  # 4 x [4d, d]
        state_backwards = state_weight.mT.contiguous()
        memory_backwards = None if memory_weight is None else memory_weight.mT.contiguous()
        states = gradient.clone(memory_format=torch.contiguous_format)
        inputs = torch.empty_like(gates)
        merged = gates.new_empty(2, pairs.shape[1], d)
        old = gates.new_empty(batch, 2 * d)  # of what a step read, except for what was popped
        h_old, c_old = old.split(d, 1)
        view = _Views(plan, d)
        before = [block[:batch] for block in states.split(view.states)][:-1]  # the B states that each step read
        rows = zip(
            view.cells(read[:, :d]),
            view.evaluations(inputs),
            view.active(gates[:, : 3 * d], *gates.split(d, 1), curved),
            view.active(inputs[:, : 3 * d], *inputs.split(d, 1)),
            view.worked(read[:, d:]),
            view.blocks(states[:, :d], states[:, d:]),
            zip(merged[0].split(view.merges), merged[1].split(view.merges), strict=True),
            zip(before, plan.back, plan.steps, strict=True),
            strict=True,
        )
        for (h_read,), to_gates, active, to, memory, (h, c), merge, (previous, back, step) in reversed(list(rows)):
            (sigmas, i, f, o, g, curve), (to_sigmas, to_i, to_f, to_o, to_g) = active, to
            (h_stay, h), (c_stay, c) = h, c
            n, m, s = step.stay, step.merge, step.split
            torch.mul(h, curve, out=to_o)
            through = h * o
            c.add_(_tanh_backward(through, curve, grad_input=through))
            torch.mul(c, g, out=to_i)
            torch.mul(c, memory, out=to_f)
            torch.mul(c, i, out=to_g)
            _sigmoid_backward(to_sigmas, sigmas, grad_input=to_sigmas)
            _tanh_backward(to_g, g, grad_input=to_g)

            if n:
                h_old[:n].copy_(h_stay)
                c_old[:n].copy_(c_stay)
            h_parts = h_old.split([n, m, step.recur, s])
            if s:
                torch.mul(c[: batch - n], f[: batch - n], out=c_old[n:])
                c_old[batch - s :].addcmul_(c[batch - n :], f[batch - n :])
            else:
                torch.mul(c, f, out=c_old[n:])
            for slot, cell in _SLOTS:
                if not len(to_gates[slot]):
                    continue
                if cell == DOWN:
                    h_parts[3].addmm_(to_gates[slot], weights[cell])
                else:
                    torch.mm(to_gates[slot], weights[cell], out=h_parts[slot + 1])
            if m:
                _tanh_backward(h_parts[1], h_read[1], grad_input=merge[0])
                both = torch.mm(merge[0], state_backwards)
                h_parts[1].copy_(both[:, :d])
                popped = torch.zeros_like(both)
                popped[:, :d] = both[:, d:]
                if memory_backwards is not None:
                    merge[1].copy_(c_old[n : n + m])
                    both = torch.mm(merge[1], memory_backwards)
                    c_old[n : n + m].copy_(both[:, :d])
                    popped[:, d:] = both[:, d:]
                end = step.gathered + batch + s + m
                states.index_add_(0, plan.gather[end - m : end], popped)
            previous.add_(old.index_select(0, back))

        to_weights = torch.zeros_like(hidden)
        for cell, (evaluated, sources) in enumerate(plan.cells):
            if len(evaluated):
                was = read[:, :d].index_select(0, sources)
                torch.mm(was.mT, inputs.index_select(0, evaluated), out=to_weights[cell])
        to_state = (pairs[0].mT @ merged[0], merged[0].sum(0))
        to_memory = (None, None) if memory_weight is None else (pairs[1].mT @ merged[1], merged[1].sum(0))
        to_inputs = torch.zeros(ctx.inputs, 4 * d, dtype=inputs.dtype, device=inputs.device)
        to_inputs.index_add_(0, which, inputs)
        return None, to_inputs, None, states[: plan.start], to_weights, *to_state, *to_memory


_SLOTS = ((0, MERGE), (1, RECUR), (2, SPLIT), (3, DOWN))  # of each cell's rows in an evaluation


class _Views:
    """Each step's rows of a tensor: cut once for all steps, which costs a fraction of slicing at each step."""

    def __init__(self, plan: Schedule, units: int):
        self.d, steps = units, plan.steps
        batch = plan.after.shape[0]
        self.gathered = [batch + step.split + step.merge for step in steps]
        self.merges = [step.merge for step in steps]
        self.states = [plan.start] + [batch + step.split for step in steps]
        self._cells = [size for s in steps for size in (s.merge, s.recur, s.split, s.split)]
        self.evaluated = [batch - step.stay + step.split for step in steps]
        self._read = [size for s in steps for size in (s.stay, s.merge, s.recur, s.split, s.split, s.merge)]
        worked = zip(steps, self.evaluated, strict=True)
        self._worked = [size for s, active in worked for size in (s.stay, active, s.merge)]
        blocks = zip(steps, self.evaluated, strict=True)
        self._blocks = [plan.start] + [size for s, active in blocks for size in (s.stay, active)]

    def cells(self, *read: Tensor) -> list[tuple[tuple[Tensor, ...], ...]]:
        """Views (stay, merge, recur, split, split, popped) of each tensor that is read, at each step."""
        return self._each([_groups(tensor.split(self._read), 6) for tensor in read])

    def evaluations(self, tensor: Tensor) -> list[tuple[Tensor, ...]]:
        """Views (merge, recur, split, down) of a tensor [R, ...], at each step."""
        return _groups(tensor.split(self._cells), 4)

    def active(self, *tensors: Tensor) -> list[tuple[Tensor, ...]]:
        """Views of all evaluations in tensors [R, ...], at each step."""
        return self._each([tensor.split(self.evaluated) for tensor in tensors])

    def worked(self, read: Tensor) -> tuple[Tensor, ...]:
        """Views of what the cells start from in the tensor that is read, at each step."""
        return read.split(self._worked)[1::3]

    def blocks(self, *states: Tensor) -> list[tuple[tuple[Tensor, ...], ...]]:
        """Views (stay, what the cells make) of each tensor of states, at each step."""
        return self._each([_groups(tensor.split(self._blocks)[1:], 2) for tensor in states])

    @staticmethod
    def _each(tensors):
        return list(zip(*tensors, strict=True))


def _groups(views: tuple[Tensor, ...], size: int) -> list[tuple[Tensor, ...]]:
    return list(zip(*(iter(views),) * size, strict=True))
