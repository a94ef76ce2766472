"""The recurrence of matrices over few symbols, forward and backward, with few operations a step.

    s_t = M(x_t) (s_{t-1} * mask)

At each step the sequences are laid out by their symbol, padded to the step's largest group, so that one batched product
over the symbols of the step does the work without copying a matrix per token.

Backpropagation through time is written out: laying out and taking back are gathers in both directions, where autograd
would add up rows one by one.
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from repline.algebra.full_precision import full_precision


def grouped_recurrence(matrices: Tensor, ids: Tensor, state: Tensor, state_mask: Tensor) -> Tensor:
    """States s_t after each symbol.

    Args:
        matrices: M [D, n, n].
        ids: x [B, T], integers in 0..D-1.
        state: s_0 [B, n], a constant.
        state_mask: [B, n], what each state is multiplied with before each step, a constant.

    Returns:
        [B, T, n].
    """
    slots, filled, present = _layout(ids, len(matrices))
    return _GroupedRecurrence.apply(matrices, state, state_mask, slots, filled, present)


def _layout(ids: Tensor, symbols: int) -> tuple[Tensor, list[Tensor], list[Tensor | None]]:
    """Where the sequences lie at each step.

    Returns:
        slots: [T, B], the place of each sequence among those of the step.
        filled: of each step [places], the sequence of each place, B where there is none.
        present: of each step, the symbols that it has [P], in their order; None where it has all of them.
    """
    count, length = ids.shape
    sizes = torch.zeros(symbols, length, dtype=torch.long, device=ids.device)
    sizes.scatter_add_(0, ids, torch.ones_like(ids))  # [D, T] sequences that read symbol d at step t
    largest = sizes.amax(0)  # [T]
    occurs = sizes > 0  # [D, T]
    order = ids.argsort(dim=0, stable=True)  # [B, T]
    sequences = torch.arange(count, device=ids.device)
    rank = torch.empty_like(ids)
    rank.scatter_(0, order, sequences[:, None].expand(count, length))
    within = rank - (sizes.cumsum(0) - sizes).gather(0, ids)  # [B, T] place of each sequence in its group
    slots = ((occurs.cumsum(0) - 1).gather(0, ids) * largest + within).mT.contiguous()  # [T, B]
    filled, present = [], []
    for slot, padded, groups in zip(slots, largest.tolist(), occurs.mT.tolist(), strict=True):
        step_symbols = [symbol for symbol, is_there in enumerate(groups) if is_there]
        filled.append(
            torch.full((len(step_symbols) * padded,), count, device=ids.device).index_copy_(0, slot, sequences)
        )
        present.append(torch.tensor(step_symbols, device=ids.device) if len(step_symbols) < symbols else None)
    return slots, filled, present


@full_precision
class _GroupedRecurrence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx,
        matrices: Tensor,
        state: Tensor,
        state_mask: Tensor,
        slots: Tensor,
        filled: list[Tensor],
        present: list[Tensor | None],
    ) -> Tensor:
        count, size = state.shape
        rows = state.new_zeros(count + 1, size)  # the last one is of the places without a sequence
        states, read = state.new_empty(len(slots), count, size), []
        for step, (slot, step_filled, step_symbols) in enumerate(zip(slots, filled, present, strict=True)):
            torch.mul(state, state_mask, out=rows[:count])
            used = matrices if step_symbols is None else matrices.index_select(0, step_symbols)
            grouped = rows.index_select(0, step_filled).view(len(used), -1, size)  # [P, padded, n]
            moved = torch.bmm(grouped, used.mT)
            state = torch.index_select(moved.view(-1, size), 0, slot, out=states[step])
            if ctx.needs_input_grad[0]:
                read.append(grouped)
        ctx.save_for_backward(matrices, state_mask)
        ctx.layout = slots, filled, present, read
        return states.transpose(0, 1).contiguous()

    @staticmethod
    @once_differentiable
    def backward(ctx, states_gradient: Tensor) -> tuple[Tensor | None, ...]:
        matrices, state_mask = ctx.saved_tensors
        slots, filled, present, read = ctx.layout
        count, size = state_mask.shape
        rows = state_mask.new_zeros(count + 1, size)
        state_gradient = rows[:count]
        turned_gradient = torch.zeros_like(matrices)  # of the matrices, transposed
        for step in range(len(slots) - 1, -1, -1):
            state_gradient += states_gradient[:, step]
            step_symbols, grouped = present[step], read[step]
            used = matrices if step_symbols is None else matrices.index_select(0, step_symbols)
            moved_gradient = rows.index_select(0, filled[step]).view_as(grouped)
            by_step = torch.bmm(grouped.mT, moved_gradient)  # [P, n, n]
            if step_symbols is not None:
                by_step = torch.zeros_like(matrices).index_copy_(0, step_symbols, by_step)
            turned_gradient += by_step
            if step:
                grouped_gradient = torch.bmm(moved_gradient, used).view(-1, size)
                torch.mul(grouped_gradient.index_select(0, slots[step]), state_mask, out=state_gradient)
        return turned_gradient.mT, None, None, None, None, None
