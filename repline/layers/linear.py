"""Linear maps by oneDNN on a CPU: the results of `torch.nn.functional.linear`, last bits apart, in less time.

PyTorch leaves float32 products to MKL, which uses half the width of an AMD processor's vectors; oneDNN, which PyTorch
brings for convolutions and LSTMs, uses all of it: twice the speed there. On Intel's processors MKL is faster by a
tenth to a third, so PyTorch's own product is taken there, and elsewhere (another device or type, autocast, a PyTorch
without the operator).
"""

from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import Function, once_differentiable

ROWS = 64  # numbers of rows are rounded up to these: oneDNN compiles a kernel for each shape, in about a millisecond
SMALLEST = 1 << 24  # multiplications from which the operator saves more than calling it costs


def product(left: Tensor, right: Tensor) -> Tensor:
    """The product of matrices without a gradient: [n, k], [k, m] -> [n, m]."""
    return _onednn(left, right.mT, None) if _pays(left, right.shape[1]) else left @ right


def linear(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x W^T + b with first derivatives: [..., k], W [m, k], b [m] or None -> [..., m]."""
    if inputs.dim() < 2 or not _pays(inputs, len(weight)):
        return nn.functional.linear(inputs, weight, bias)
    return _Linear.apply(inputs, weight, bias)


class Linear(nn.Linear):
    """`torch.nn.Linear` by `linear`."""

    def forward(self, inputs: Tensor) -> Tensor:
        """[..., k] -> [..., m]."""
        return linear(inputs, self.weight, self.bias)


class _Linear(Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        rows = whole_blocks(inputs.flatten(0, -2))
        ctx.save_for_backward(rows, weight)
        ctx.has_bias, ctx.shape = bias is not None, inputs.shape[:-1]
        return _onednn(rows, weight, bias)[: ctx.shape.numel()].view(*ctx.shape, len(weight))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        inputs, weight = ctx.saved_tensors
        rows = whole_blocks(gradient.flatten(0, -2))
        by_inputs = by_weight = by_bias = None
        if ctx.needs_input_grad[0]:
            by_inputs = product(rows, weight)[: ctx.shape.numel()].view(*ctx.shape, weight.shape[1])
        if ctx.needs_input_grad[1]:
            by_weight = product(rows.mT, inputs)
        if ctx.has_bias and ctx.needs_input_grad[2]:
            by_bias = rows.sum(0)
        return by_inputs, by_weight, by_bias


def whole_blocks(rows: Tensor) -> Tensor:
    """Zero rows appended, so that there are few numbers of rows to compile for: [n, k] -> [n rounded up, k]."""
    missing = -len(rows) % ROWS
    return nn.functional.pad(rows, (0, 0, 0, missing)) if missing else rows


def _pays(inputs: Tensor, outputs: int) -> bool:
    """Whether a product of `inputs` [..., k] with a matrix of `outputs` columns is faster by oneDNN, and possible."""
    return (
        inputs.numel() * outputs >= SMALLEST
        and inputs.device.type == "cpu"
        and inputs.dtype == torch.float32
        and _has_operator()
        and not _mkl_is_faster()
        and not torch.is_autocast_enabled("cpu")
    )


def _has_operator() -> bool:
    return torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_linear_pointwise")


@cache
def _mkl_is_faster() -> bool:
    """Whether PyTorch's products are MKL's on a processor of Intel's, where they use the whole width of vectors."""
    processor = Path("/proc/cpuinfo")
    return (
        torch.backends.mkl.is_available()
        and processor.exists()
        and "GenuineIntel" in processor.read_text(encoding="utf-8", errors="replace")
    )


def _onednn(inputs: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    return torch.ops.mkldnn._linear_pointwise(_dense(inputs), _dense(weight), bias, "none", [], "")


def _dense(values: Tensor) -> Tensor:
    """Values without gaps between rows or columns: for others oneDNN has slow reference code alone."""
    return values if values.is_contiguous() or values.mT.is_contiguous() else values.contiguous()
