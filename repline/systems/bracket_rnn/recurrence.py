"""One LSTM layer over bracketed sequences: the recurrence of the Bracket-RNN, forward and backward in closed form.

    i, f, o = sigmoid(.),  g = tanh(.)  of  gates_t + W_hh h_t
    c_{t+1} = f c_t + i g,   h_{t+1} = o tanh(c_{t+1})
    where a bracket closes:   (h, c)_{t+1} <- merge((h, c) before its opening bracket, (h, c)_{t+1})

The backward pass needs all states of a segment, so they are kept anyway. The brackets are known beforehand, and with
them the state that each closing bracket takes back. So a push costs nothing, and a pop is one index into the states.
Gradients of states are added up in place; those of all weights are one matrix product at the end.

Notation: B sequences, T steps, d units, state [h; c] of 2d numbers; N closing brackets in the segment, K states carried
from the segment before, D states open at once at most.

Source: Paranjape, Reddy & Manning, Incorporating Structure into Language Models.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import Function, once_differentiable

from repline.algebra.full_precision import full_precision
from repline.layers.stacked_state import StackedState
from repline.systems.bracket_rnn.bracket_matching import Brackets
from repline.systems.bracket_rnn.saved_state_attention import attend, attend_backward
from repline.systems.bracket_rnn.state_merge import StateMerge


def bracketed_lstm(
    gates: Tensor,
    w_hh: Tensor,
    state: tuple[Tensor, Tensor],
    carried: StackedState | None,
    brackets: Brackets,
    merge: StateMerge,
    *,
    steps: bool,
) -> tuple[Tensor, Tensor, tuple[Tensor, Tensor], StackedState | None]:
    """Run one layer over a segment.

    Args:
        gates: [T, B, 4d], what the inputs and the biases add to the gates i, f, g, o.
        w_hh: [4d, d].
        state: h and c, [B, d] each.
        carried: what is open at the start, with vectors [h; c]; None for nothing.
        brackets: of the segment.
        merge: of the layer.
        steps: whether a bracket is a step of the LSTM; else it leaves the state as it is except for the merge.

    Returns:
        the outputs h before the merges [T, B, d] and after them; h and c in the end; and what is then open.
    """
    d = w_hh.shape[1]
    old = gates.new_zeros(0, 2 * d) if carried is None else carried.cells.flatten(0, 1)  # [K, 2d]
    masks = merge.masks(len(brackets.sources), gates)
    weights = list(merge.nets.parameters())
    start = torch.cat(state, 1)
    states, raw = _Recurrence.apply(gates, w_hh, start, old, brackets, merge, steps, masks, merge.query, *weights)
    last = states[-1]
    left: StackedState | None = None
    if brackets.still_open.shape[1]:
        cells = torch.cat([old, states.flatten(0, 1)]).index_select(0, brackets.still_open.flatten())
        left = StackedState.of(cells.unflatten(0, brackets.still_open.shape), brackets.sizes)
    return raw, states[1:, :, :d], (last[:, :d], last[:, d:]), left


@full_precision
class _Recurrence(Function):
    """-> all states [T + 1, B, 2d], the first being the start; and h before the merges, [T, B, d]."""

    @staticmethod
    def forward(
        ctx: Any,
        gates: Tensor,
        w_hh: Tensor,
        start: Tensor,
        old: Tensor,
        brackets: Brackets,
        merge: StateMerge,
        steps: bool,
        masks: list[Tensor | None],
        query: Tensor | None,
        *weights: Tensor,
    ) -> tuple[Tensor, Tensor]:
        (length, batch, _), d, k = gates.shape, w_hh.shape[1], len(old)
        memory = gates.new_empty(k + (length + 1) * batch, 2 * d)
        states = memory[k:].unflatten(0, (length + 1, batch))
        memory[:k], states[0] = old, start
        active, squashed, raw = (
            torch.empty_like(gates),
            gates.new_empty(length, batch, d),
            gates.new_empty(length, batch, d),
        )
        nets = [
            (
                span,
                first,
                second,
                gates.new_empty(len(brackets.sources), first.shape[1]),
                gates.new_empty(len(brackets.sources), first.shape[0]),
                gates.new_empty(len(brackets.sources), len(second)),
            )
            for span, first, second in zip(merge.columns, weights[::2], weights[1::2], strict=True)
        ]
        there = torch.arange(brackets.open.shape[1], device=gates.device) < brackets.depths[:, None]
        attention = gates.new_empty(there.shape)
        w = w_hh.mT
        for t in range(length):
            before, now, a = states[t], states[t + 1], active[t]
            torch.addmm(gates[t], before[:, :d], w, out=a)
            a[:, : 2 * d].sigmoid_(), a[:, 2 * d : 3 * d].tanh_(), a[:, 3 * d :].sigmoid_()
            i, f, g, o = a.chunk(4, 1)
            torch.mul(f, before[:, d:], out=now[:, d:]).addcmul_(i, g)
            torch.mul(o, torch.tanh(now[:, d:], out=squashed[t]), out=now[:, :d])
            if not steps and brackets.marked[t] is not None:
                rows = brackets.marked[t]
                now.index_copy_(0, rows, before.index_select(0, rows))
            raw[t] = now[:, :d]
            rows = brackets.closing[t]
            if rows is not None and merge.merge != "keep":
                some = slice(brackets.first[t], brackets.first[t + 1])
                if query is None:
                    saved = memory.index_select(0, brackets.sources[some])
                else:
                    saved, attention[some] = attend(memory[brackets.open[some]], there[some], raw[t, rows], query)
                if merge.merge != "restore":
                    saved = _merged(nets, some, saved, now.index_select(0, rows), merge.activation, masks, d)
                now.index_copy_(0, rows, saved)
        ctx.save_for_backward(w_hh, memory, active, squashed, raw, attention, query, *weights)
        ctx.plan = brackets, merge, steps, masks, k, nets
        ctx.set_materialize_grads(False)
        return states.clone(), raw

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_states: Tensor | None, d_raw: Tensor | None) -> tuple[Tensor | None, ...]:
        w_hh, memory, active, squashed, raw, attention, query, *_ = ctx.saved_tensors
        brackets, merge, steps, masks, k, nets = ctx.plan
        (length, batch, _), d = active.shape, w_hh.shape[1]
        d_memory = torch.zeros_like(memory)
        if d_states is not None:
            d_memory[k:] = d_states.flatten(0, 1)
        states, d_all = (part[k:].unflatten(0, (length + 1, batch)) for part in (memory, d_memory))
        slopes = active * (1 - active)  # of the gates
        g = active[..., 2 * d : 3 * d]
        slopes[..., 2 * d : 3 * d] = 1 - g * g
        d_gates = torch.empty_like(active)
        d_nets = [(torch.empty_like(u), torch.empty_like(y)) for *_, u, y in nets]
        d_query = None if query is None else torch.zeros_like(query)
        through = active[..., 3 * d :] * (1 - squashed * squashed)  # from h to c, [T, B, d]
        for t in reversed(range(length)):
            d_now, d_before = d_all[t + 1], d_all[t]
            rows = brackets.closing[t]
            if rows is not None and merge.merge != "keep":
                some = slice(brackets.first[t], brackets.first[t + 1])
                d_saved = d_now.index_select(0, rows)
                d_left = torch.zeros_like(d_saved)
                if merge.merge != "restore":
                    d_saved, d_left = _merged_backward(nets, d_nets, some, d_saved, merge.activation, masks, d)
                source_rows = brackets.sources[some]
                if query is not None and d_query is not None:
                    source_rows, h = brackets.open[some].flatten(), raw[t, rows]
                    gradients = attend_backward(d_saved, memory[brackets.open[some]], attention[some], h, query)
                    d_saved, d_left[:, :d] = gradients[0].flatten(0, 1), d_left[:, :d] + gradients[1]
                    d_query.addmm_(gradients[2].mT, h)
                d_now.index_copy_(0, rows, d_left)
                d_memory.index_add_(0, source_rows, d_saved)
            if d_raw is not None:
                d_now[:, :d] += d_raw[t]
            passed = None
            if not steps and brackets.marked[t] is not None:
                passed = d_now.index_select(0, brackets.marked[t])
                d_now.index_fill_(0, brackets.marked[t], 0)
            d_h, d_c = d_now[:, :d], d_now[:, d:]
            d_c.addcmul_(d_h, through[t])
            i, f, g, _ = active[t].chunk(4, 1)
            to_i, to_f, to_g, to_o = d_gates[t].chunk(4, 1)
            torch.mul(d_c, g, out=to_i), torch.mul(d_c, states[t][:, d:], out=to_f), torch.mul(d_c, i, out=to_g)
            torch.mul(d_h, squashed[t], out=to_o)
            d_gates[t].mul_(slopes[t])
            d_before[:, d:].addcmul_(d_c, f)
            d_before[:, :d].addmm_(d_gates[t], w_hh)
            if passed is not None:
                d_before.index_add_(0, brackets.marked[t], passed)
        d_w = d_gates.flatten(0, 1).mT @ states[:-1].flatten(0, 1)[:, :d]
        d_weights = []
        for (_, _, _, x, u, _), (d_z, d_y), mask in zip(nets, d_nets, masks, strict=True):
            d_weights += [d_z.mT @ x, d_y.mT @ (u if mask is None else u * mask)]
        return d_gates, d_w, d_all[0], d_memory[:k], None, None, None, None, d_query, *d_weights


def _merged(
    nets: list, some: slice, saved: Tensor, now: Tensor, activation: str, masks: list[Tensor | None], d: int
) -> Tensor:
    """[n, 2d] and [n, 2d] -> [n, 2d]; what the backward pass needs of each net goes to its rows `some`."""
    merged = now.clone()
    for ((begin, end), first, second, x, u, y), mask in zip(nets, masks, strict=True):
        torch.cat([saved[:, begin:end], now[:, begin:end]], 1, out=x[some])
        hidden = torch.mm(x[some], first.mT, out=u[some])
        hidden.tanh_() if activation == "tanh" else hidden.relu_()
        out = torch.mm(hidden if mask is None else hidden * mask[some], second.mT, out=y[some])
        if begin == 0:
            out[:, :d].tanh_()
        merged[:, begin:end] = out
    return merged


def _merged_backward(
    nets: list, d_nets: list, some: slice, d_merged: Tensor, activation: str, masks: list[Tensor | None], d: int
) -> tuple[Tensor, Tensor]:
    """The gradient of what was merged [n, 2d] -> those of what was saved and of what was there, [n, 2d] each."""
    d_saved, d_left = torch.zeros_like(d_merged), d_merged.clone()
    for ((begin, end), first, second, _, u, y), (d_z, d_y), mask in zip(nets, d_nets, masks, strict=True):
        out = d_y[some].copy_(d_merged[:, begin:end])
        if begin == 0:
            out[:, :d].addcmul_(out[:, :d] * y[some][:, :d], y[some][:, :d], value=-1)
        hidden = torch.mm(out, second, out=d_z[some])
        if mask is not None:
            hidden *= mask[some]
        hidden *= 1 - u[some] * u[some] if activation == "tanh" else (u[some] > 0)
        d_x = hidden @ first
        d_saved[:, begin:end], d_left[:, begin:end] = d_x.chunk(2, 1)
    return d_saved, d_left
