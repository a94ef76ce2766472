"""Cross-entropy of a linear softmax layer without stored logits: the costliest part of a language model on a CPU.

    loss = sum_n a_n (logsumexp(W h_n + b) - (W h_n + b)_{y_n})
    dh_n = d_n W,    dW = sum_n d_n h_n^T,    db = sum_n d_n,    d_n = a_n (softmax(W h_n + b) - 1_{y_n})

Loss and gradient are computed together, block by block. So the [N, V] logits, their
log-probabilities and their gradients are never in memory, and there are fewer passes over them.
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from repline.algebra.full_precision import full_precision
from repline.layers.linear import linear, product, whole_blocks

BLOCK = 1 << 20  # logits in memory at once: those of a CPU stay in its cache
BLOCK_OF_GPU = 1 << 26  # a quarter of a gigabyte; a GPU would wait for the next kernel between smaller blocks


def linear_cross_entropy(
    hidden: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor, factors: Tensor | None = None
) -> Tensor:
    """The sum of -a log softmax(W h + b)_y, as `cross_entropy(linear(hidden, weight, bias), targets, reduction="sum")`.

    Args:
        hidden: [N, d].
        weight: [V, d].
        bias: [V], or None.
        targets: int64 [N], each from 0 to V - 1.
        factors: a, [N], without a gradient; None for ones.

    Returns:
        a scalar, with first derivatives by hidden, weight and bias.
    """
    return _LinearCrossEntropy.apply(hidden, weight, bias, targets, factors)


def rows_of_block(weight: Tensor) -> int:
    """How many of the N rows are taken together, by the words [V, d] and the device that they lie on."""
    return max(1, (BLOCK if weight.device.type == "cpu" else BLOCK_OF_GPU) // len(weight))


@full_precision
class _LinearCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx, hidden: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor, factors: Tensor | None
    ) -> Tensor:
        needs_gradient = ctx.needs_input_grad[:3]
        gradients = [
            torch.zeros_like(part) if want and part is not None else None
            for part, want in zip((hidden, weight, bias), needs_gradient, strict=True)
        ]
        rows = rows_of_block(weight)
        total = hidden.new_zeros(())
        for start in range(0, len(hidden), rows):
            h, y = whole_blocks(hidden[start : start + rows]), targets[start : start + rows, None]  # [n', d], [n, 1]
            all_logits = linear(h, weight, bias)  # [n', V]; those behind the n-th add nothing to the gradients
            logits = all_logits[: len(y)]
            largest, true = logits.amax(1, keepdim=True), logits.gather(1, y)
            logits.sub_(largest).exp_()
            sums = logits.sum(1, keepdim=True)
            losses = sums.log() + largest - true
            if any(needs_gradient):
                logits.div_(sums).scatter_add_(1, y, logits.new_full(y.shape, -1.0))  # p - 1_y
            if factors is not None:
                a = factors[start : start + rows, None]  # [n, 1]
                losses *= a
                logits *= a
            total += losses.sum()
            if any(needs_gradient):
                hidden_gradient, weight_gradient, bias_gradient = gradients
                if hidden_gradient is not None:
                    hidden_gradient[start : start + rows] = product(all_logits, weight)[: len(y)]
                if weight_gradient is not None:
                    weight_gradient.add_(product(all_logits.mT, h))
                if bias_gradient is not None:
                    bias_gradient.add_(logits.sum(0))
        ctx.save_for_backward(*gradients)
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient: Tensor) -> tuple[Tensor | None, ...]:
        return *(None if part is None else part * gradient for part in ctx.saved_tensors), None, None
