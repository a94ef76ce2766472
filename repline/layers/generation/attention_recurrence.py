"""The loop of a decoder that attends with its last state, forward and backward, with few operations a step.

    α_t = softmax_j(h_j · s_{t-1}),   c_t = Σ_j α_tj h_j,   g_t = x_t + W [c_t; s_{t-1}]
    m_t = σ(g^f) m_{t-1} + σ(g^i) tanh(g^n),   s_t = σ(g^o) tanh(m_t)

Backpropagation through time is written out, so that the gradients of W and of all h_j are one product each over all
steps, and not a sum of as many products as there are steps.

Source: Bahdanau, Cho & Bengio 2015 for the order of the steps; Hochreiter & Schmidhuber 1997.
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from repline.algebra.full_precision import full_precision


def attention_recurrence(
    inputs: Tensor, hidden: Tensor, cell: Tensor, states: Tensor, padding: Tensor, weight: Tensor
) -> tuple[Tensor, Tensor]:
    """States s_t and contexts c_t of all steps, each [B, Y, d].

    Args:
        inputs: x_t [B, Y, 4d], what symbols add to the gates, in the order input, forget, new, output.
        hidden, cell: s_0 and m_0 [B, d].
        states: h_j [B, T, d]; padding: [B, T], added to the scores of the attention.
        weight: [2d, 4d], of [c; s].
    """
    return _AttentionRecurrence.apply(inputs, hidden, cell, states, padding, weight)


@full_precision
class _AttentionRecurrence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx, inputs: Tensor, hidden: Tensor, cell: Tensor, states: Tensor, padding: Tensor, weight: Tensor
    ) -> tuple[Tensor, Tensor]:
        steps, size = inputs.shape[1], hidden.shape[1]
        read = hidden.new_empty(steps, len(hidden), 2 * size)  # [c_t; s_{t-1}]
        gates = hidden.new_empty(steps, len(hidden), 4 * size)
        cells, shares, outputs = [cell], [], []
        turned = states.mT.contiguous()  # [B, d, T]
        for step, gate_inputs in enumerate(inputs.unbind(1)):
            share = torch.baddbmm(padding[:, None], hidden[:, None], turned).softmax(-1)  # [B, 1, T]
            read[step, :, :size] = torch.bmm(share, states)[:, 0]
            read[step, :, size:] = hidden
            gate = torch.addmm(gate_inputs, read[step], weight, out=gates[step])
            gate[:, : 2 * size].sigmoid_()
            gate[:, 2 * size : 3 * size].tanh_()
            gate[:, 3 * size :].sigmoid_()
            let_in, keep, new, out = gate.chunk(4, 1)
            cell = torch.addcmul(keep * cell, let_in, new)
            hidden = out * cell.tanh()
            cells.append(cell)
            shares.append(share[:, 0])
            outputs.append(hidden)
        ctx.save_for_backward(states, weight, read, gates, torch.stack(cells), torch.stack(shares))
        return torch.stack(outputs, 1), read[..., :size].transpose(0, 1).contiguous()

    @staticmethod
    @once_differentiable
    def backward(ctx, outputs_gradient: Tensor, contexts_gradient: Tensor) -> tuple[Tensor | None, ...]:
        states, weight, read, gates, cells, shares = ctx.saved_tensors
        steps, size = cells.shape[0] - 1, cells.shape[2]
        bent = cells[1:].tanh()
        let_in, keep, new, out = gates.chunk(4, -1)
        # what the derivative by s_t or m_t is multiplied with to give those by the gates
        by_cell = out * (1 - bent * bent)
        slopes = torch.cat(
            [new * let_in * (1 - let_in), cells[:-1] * keep * (1 - keep), let_in * (1 - new * new)], -1
        )  # [Y, B, 3d], for m_t
        by_out = bent * out * (1 - out)
        gates_gradient = torch.empty_like(gates)
        read_gradient = states.new_empty(*shares.shape[:2], size)  # of c_t
        scores_gradient = torch.empty_like(shares)
        back, turned = weight.mT.contiguous(), states.mT.contiguous()
        hidden_gradient = torch.zeros_like(cells[0])
        cell_gradient = torch.zeros_like(cells[0])
        for step in range(steps - 1, -1, -1):
            hidden_gradient = hidden_gradient + outputs_gradient[:, step]
            cell_gradient = torch.addcmul(cell_gradient, hidden_gradient, by_cell[step])
            gate = gates_gradient[step]
            torch.mul(slopes[step].view(-1, 3, size), cell_gradient[:, None], out=gate[:, : 3 * size].view(-1, 3, size))
            torch.mul(hidden_gradient, by_out[step], out=gate[:, 3 * size :])
            cell_gradient = cell_gradient * keep[step]
            below = gate @ back  # [B, 2d]
            context = torch.add(below[:, :size], contexts_gradient[:, step], out=read_gradient[step])
            share = shares[step]
            score = torch.bmm(context[:, None], turned)[:, 0] * share  # [B, T]
            score -= share * score.sum(1, keepdim=True)
            scores_gradient[step] = score
            hidden_gradient = torch.baddbmm(below[:, None, size:], score[:, None], states)[:, 0]
        states_gradient = torch.bmm(shares.permute(1, 2, 0), read_gradient.transpose(0, 1))
        states_gradient.baddbmm_(scores_gradient.permute(1, 2, 0), read[..., size:].transpose(0, 1))
        weight_gradient = read.flatten(0, 1).mT @ gates_gradient.flatten(0, 1)
        return gates_gradient.transpose(0, 1), hidden_gradient, cell_gradient, states_gradient, None, weight_gradient
