"""Cross-entropy of a linear softmax over a part of the vocabulary, each place with a weight, without stored logits.

    loss = Σ_n a_n (logsumexp(W h_n + b) - (W h_n + b)_{y_n}),    the softmax over the chosen rows of W alone
    dh_n = a_n (p_n - 1_{y_n}) W,    dW = Σ_n a_n (p_n - 1_{y_n}) h_n^T,    db = Σ_n a_n (p_n - 1_{y_n})

A decoder of several languages asks only for words of the one that it writes; the rows of the others cost nothing. With
a_n = 1 / length each sequence counts the same. `linear_cross_entropy` is the case of all rows and weights of one.
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from repline.algebra.full_precision import full_precision

BLOCK = 1 << 20  # logits in memory at once


def weighted_cross_entropy(
    hidden: Tensor, weight: Tensor, bias: Tensor, targets: Tensor, weights: Tensor, rows: Tensor | None = None
) -> Tensor:
    """The sum of -a log softmax(W h + b)_y over the places.

    Args:
        hidden: [N, d].
        weight: [V, d].
        bias: [V].
        targets: int64 [N], each from 0 to V - 1; with `rows`, the place of the target among them.
        weights: a, [N].
        rows: int64 [R], the part of the vocabulary; None for all of it.

    Returns:
        a scalar, with first derivatives by hidden, weight and bias.
    """
    if rows is not None:
        weight, bias = weight[rows], bias[rows]
    return _WeightedCrossEntropy.apply(hidden, weight, bias, targets, weights)


@full_precision
class _WeightedCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, hidden: Tensor, weight: Tensor, bias: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
        wanted = any(ctx.needs_input_grad)
        gradients = [torch.zeros_like(part) for part in (hidden, weight, bias)] if wanted else []
        rows = max(1, BLOCK // len(weight))
        buffer = hidden.new_empty(min(rows, len(hidden)), len(weight))
        total = hidden.new_zeros(())
        for start in range(0, len(hidden), rows):
            h, y = hidden[start : start + rows], targets[start : start + rows, None]  # [n, d], [n, 1]
            a = weights[start : start + rows, None]  # [n, 1]
            logits = buffer[: len(h)]  # [n, R]
            torch.addmm(bias, h, weight.mT, out=logits)
            largest, true = logits.amax(1, keepdim=True), logits.gather(1, y)
            logits.sub_(largest).exp_()
            sums = logits.sum(1, keepdim=True)
            total += (a * (sums.log() + largest - true)).sum()
            if wanted:
                logits.mul_(a / sums).scatter_add_(1, y, -a)  # a (p - 1_y)
                torch.mm(logits, weight, out=gradients[0][start : start + rows])
                gradients[1].addmm_(logits.mT, h)
                gradients[2].add_(logits.sum(0))
        ctx.save_for_backward(*gradients)
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient: Tensor) -> tuple[Tensor | None, ...]:
        return *(part * gradient for part in ctx.saved_tensors), None, None
