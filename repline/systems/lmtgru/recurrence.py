"""The multiple-timescale GRU: groups of units side by side, each with its own timescale, in one fused loop.

Notation: B sequences, T steps, I inputs, G groups of H units.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from repline.algebra.full_precision import full_precision
from repline.errors import InputError

FASTEST = 1.0  # the smallest timescale; below it a state would be extrapolated


def step_as_written(
    inputs: Tensor, state: Tensor, kernel: Tensor, recurrent: Tensor, bias: Tensor, timescale: Tensor | float
) -> Tensor:
    """One step of one group, as the paper prints it, with biases.

        r = sigmoid(W_xr x + W_hr h + b_r),  z = sigmoid(W_xz x + W_hz h + b_z)
        u = tanh(W_xu x + W_hu (r * h) + b_u)
        h' = (z * h + (1 - z) * u) / tau + (1 - 1 / tau) h

    The fused loop of `MultipleTimescaleGRU` is checked against it, and measured next to it.

    Args:
        inputs: x [B, I].
        state: h [B, H].
        kernel: W_x of r, z and u [I, 3 H].
        recurrent: W_h of r, z and u [H, 3 H].
        bias: [3 H].
        timescale: tau; 1 is a plain GRU, a larger one is slower.

    Returns:
        h' [B, H].

    Source: Moirangthem and Lee 2018, eq. (4).
    """
    x_r, x_z, x_u = kernel.chunk(3, dim=1)
    h_r, h_z, h_u = recurrent.chunk(3, dim=1)
    b_r, b_z, b_u = bias.chunk(3)
    reset = torch.sigmoid(inputs @ x_r + state @ h_r + b_r)
    update = torch.sigmoid(inputs @ x_z + state @ h_z + b_z)
    candidate = torch.tanh(inputs @ x_u + (reset * state) @ h_u + b_u)
    return (update * state + (1 - update) * candidate) / timescale + (1 - 1 / timescale) * state


class MultipleTimescaleGRU(nn.Module):
    """G groups of H gated units that read the same inputs and do not see each other: the LMTGRU of two groups.

        h' = h + (1 - z) / tau * (u - h),  r, z and u as of `step_as_written`

    Projections of the inputs of all steps and groups are one matrix product; a step is two products of all groups; the
    gradient of the weights is one product after the last step.

    A timescale has an attribute `learning_rate`, which `repline.systems.lmtgru.training.TimescaleRMSprop` reads; that
    also keeps it at 1 or above.

    Args:
        inputs: I.
        units: H.
        timescales: tau at the beginning, one for each of the G groups, 1 or more.
        learning_rate: of the timescales; None: they stay what they are.

    Raises:
        InputError: no timescale, or one below 1.
    """

    def __init__(self, inputs: int, units: int, timescales: Sequence[float], learning_rate: float | None = None):
        super().__init__()
        if not timescales or min(timescales) < FASTEST:
            raise InputError(f"lmtgru: expected timescales of {FASTEST:g} or more, found {list(timescales)}")
        groups = len(timescales)
        self.units = units
        self.kernel = nn.Parameter(torch.empty(groups, 3, inputs, units))
        self.recurrent = nn.Parameter(torch.empty(groups, units, 3 * units))
        self.bias = nn.Parameter(torch.zeros(groups, 3, units))
        values = torch.tensor(list(timescales), dtype=torch.get_default_dtype())
        if learning_rate is None:
            self.register_buffer("timescales", values)
        else:
            self.timescales = nn.Parameter(values)
            self.timescales.learning_rate = learning_rate  # type: ignore[attr-defined]
        with torch.no_grad():
            for group in range(groups):
                for gate in range(3):
                    nn.init.xavier_uniform_(self.kernel[group, gate])
                    nn.init.orthogonal_(self.recurrent[group, :, gate * units : (gate + 1) * units])
            self.bias[:, 1] = 1.0  # of z: a state is kept at first

    def forward(self, sequences: Tensor, ends: Tensor, state: Tensor | None = None) -> Tensor:
        """The states of all groups, one after the other, after the last real step of each sequence.

        Args:
            sequences: [B, T, I].
            ends: number of real steps of each sequence [B]; steps after them change nothing.
            state: h before the first step [B, G H]; zero by default.

        Returns:
            [B, G H].
        """
        groups, _, inputs, units = self.kernel.shape
        batch, steps, _ = sequences.shape
        kernel = self.kernel.permute(2, 0, 1, 3).reshape(inputs, -1)  # [I, G 3 H]
        flat = sequences.transpose(0, 1).reshape(-1, inputs)
        projected = torch.addmm(self.bias.flatten(), flat, kernel)  # [T B, G 3 H]
        projected = projected.view(steps, batch, groups, 3 * units).transpose(1, 2)  # [T, G, B, 3 H]
        alive = torch.arange(steps, device=ends.device)[:, None] < ends
        rates = alive[:, None, :, None] / self.timescales[:, None, None]  # [T, G, B, 1]
        if state is None:
            state = projected.new_zeros(batch, groups * units)
        first = state.view(batch, groups, units).transpose(0, 1)
        last = _Recurrence.apply(projected, rates, self.recurrent, first)
        return last.transpose(0, 1).reshape(batch, groups * units)


@full_precision
class _Recurrence(torch.autograd.Function):
    """The loop over time and its gradient, for gates r, z and u in this order."""

    @staticmethod
    def forward(ctx: Any, projected: Tensor, rates: Tensor, recurrent: Tensor, first: Tensor) -> Tensor:
        """[T, G, B, 3 H], [T, G, B, 1], [G, H, 3 H], [G, B, H] -> the last state [G, B, H]."""
        units = first.shape[2]
        gate_weights, candidate_weights = (
            recurrent[..., : 2 * units].contiguous(),
            recurrent[..., 2 * units :].contiguous(),
        )
        gates, candidates, states = [], [], []
        state, trained = first.contiguous(), any(ctx.needs_input_grad)
        # views of all steps at once: of a small step, making them one by one takes as long as the arithmetic
        to_gates, to_candidate = (part.unbind() for part in projected.split([2 * units, units], dim=3))
        for to_gate, to_new, rate in zip(to_gates, to_candidate, rates.unbind(), strict=True):
            gate = torch.baddbmm(to_gate, state, gate_weights).sigmoid_()
            reset, update = gate.chunk(2, dim=2)
            candidate = torch.baddbmm(to_new, reset * state, candidate_weights).tanh_()
            if trained:
                gates.append(gate)
                candidates.append(candidate)
                states.append(state)
            state = torch.lerp(state, candidate, torch.addcmul(rate, rate, update, value=-1))
        if trained:
            ctx.save_for_backward(
                rates, gate_weights, candidate_weights, *map(torch.stack, (gates, candidates, states))
            )
        return state

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        rates, gate_weights, candidate_weights, gates, candidates, states = ctx.saved_tensors  # states [T, G, B, H]
        resets, updates = gates.chunk(2, dim=3)
        opens, towards = 1 - updates, candidates - states
        moved = rates * opens
        # what each step multiplies the gradient of its state with, or that of r * h
        to_candidate = moved * (1 - candidates.square())
        to_update = rates * towards * updates * (updates - 1)
        to_reset = states * resets * (1 - resets)
        back_gates, back_candidate = gate_weights.transpose(1, 2), candidate_weights.transpose(1, 2)
        step_gradients, candidates_gradient, gates_gradient = [], torch.empty_like(candidates), torch.empty_like(gates)
        at_resets, at_updates = (part.unbind() for part in gates_gradient.chunk(2, dim=3))
        steps = zip(
            *(part.unbind() for part in (to_candidate, to_update, to_reset, 1 - moved, resets)),
            *(part.unbind() for part in (candidates_gradient, gates_gradient)),
            at_resets,
            at_updates,
            strict=True,
        )
        for new, shut, opened, passed, reset, candidate, gate, at_reset, at_update in reversed(list(steps)):
            step_gradients.append(gradient)
            torch.mul(gradient, new, out=candidate)
            torch.mul(gradient, shut, out=at_update)
            product_gradient = torch.bmm(candidate, back_candidate)
            torch.mul(product_gradient, opened, out=at_reset)
            gradient = torch.addcmul(gradient * passed, product_gradient, reset).baddbmm_(gate, back_gates)
        states_gradient = torch.stack(step_gradients[::-1])
        rates_gradient = (states_gradient * towards * opens).sum(dim=3, keepdim=True)
        recurrent_gradient = torch.cat(
            [
                torch.bmm(_steps_first(states).transpose(1, 2), _steps_first(gates_gradient)),
                torch.bmm(_steps_first(resets * states).transpose(1, 2), _steps_first(candidates_gradient)),
            ],
            dim=2,
        )
        return torch.cat([gates_gradient, candidates_gradient], dim=3), rates_gradient, recurrent_gradient, gradient


def _steps_first(values: Tensor) -> Tensor:
    """[T, G, B, k] -> [G, T B, k]."""
    return values.transpose(0, 1).flatten(1, 2)
