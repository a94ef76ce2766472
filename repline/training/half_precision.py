"""Training in bfloat16 on a CPU whose kernels lack a part of it: LSTMs or attention are computed in float32 there.

oneDNN has no bfloat16 LSTM on processors without AVX-512, and PyTorch's fused attention packs bfloat16 by instructions
that it may have been told not to use (`ATEN_CPU_CAPABILITY`). Both say so from deep inside a forward pass. What this
processor has is tried, not read from a list of processors.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import multi_head_attention_forward, scaled_dot_product_attention
from torch.overrides import TorchFunctionMode

from repline.files import another_process

LSTM, ATTENTION = "LSTM", "attention"
FUNCTIONS: dict[Callable, str] = {
    torch.lstm: LSTM,  # torch.nn.LSTM calls it
    scaled_dot_product_attention: ATTENTION,
    multi_head_attention_forward: ATTENTION,  # torch.nn.MultiheadAttention calls it
}
PACKED_LENGTH = 64  # of a sequence, from which on the fused attention packs its operands


@cache
def has_bfloat16_lstm() -> bool:
    """Whether this CPU computes an LSTM under autocast to bfloat16: a tiny one is tried, forward and backward."""
    units, gates = 8, 4 * 8
    weights = [
        torch.zeros(*shape, requires_grad=True) for shape in ((gates, units), (gates, units), (gates,), (gates,))
    ]
    inputs, state = torch.zeros(2, 2, units), (torch.zeros(1, 2, units), torch.zeros(1, 2, units))
    try:
        with torch.enable_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            output = torch.lstm(inputs, state, weights, True, 1, 0.0, True, False, False)[0]
            output.float().sum().backward()
    except RuntimeError:  # "could not create a primitive descriptor for the LSTM forward propagation primitive"
        return False
    return True


@cache
def has_bfloat16_attention() -> bool:
    """Whether this CPU computes fused attention in bfloat16: a small one is tried, forward and backward."""
    states = torch.zeros(1, 1, PACKED_LENGTH, 4, dtype=torch.bfloat16, requires_grad=True)
    try:
        with torch.enable_grad():
            scaled_dot_product_attention(states, states, states).float().sum().backward()
    except RuntimeError:  # "pack_vnni2 is only supported when avx512 is supported"
        return False
    return True


def supported_kernels(precision: str, device: torch.device) -> AbstractContextManager[Any]:
    """The context to train in: `InFloat32` for what `device` lacks in this precision, one without effect for nothing.

    Args:
        precision: "32-true" or "bf16-mixed", as in `repline.training.recipes.Hardware`.
    """
    if precision != "bf16-mixed" or device.type != "cpu":
        return nullcontext()
    kinds = {LSTM: has_bfloat16_lstm, ATTENTION: has_bfloat16_attention}
    lacking = [kind for kind, has_kernel in kinds.items() if not has_kernel()]
    return InFloat32(*lacking) if lacking else nullcontext()


class InFloat32(TorchFunctionMode):
    """A context in which LSTMs, attention or both are computed in float32, also under autocast; outputs are float32.

    It covers the functions of `FUNCTIONS`. Gates of `torch.nn.LSTMCell` are matrix products, which need nothing special
    in bfloat16. The first LSTM and the first attention are announced in one line each.

    Args:
        kinds: `LSTM`, `ATTENTION`, or both.
    """

    def __init__(self, *kinds: str) -> None:
        super().__init__()
        self.kinds, self.announced = kinds, set[str]()

    def __torch_function__(
        self, function: Callable, types: Sequence[type], args: tuple = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        kind = FUNCTIONS.get(function)
        if kind not in self.kinds:
            return function(*args, **(kwargs or {}))
        if kind not in self.announced and not another_process():
            self.announced.add(kind)
            print(
                f"hardware.precision: this processor has no {kind} in bfloat16; it is computed in float32", flush=True
            )
        named = {name: _in_float32(value) for name, value in (kwargs or {}).items()}
        with torch.autocast("cpu", enabled=False):
            return function(*(_in_float32(value) for value in args), **named)


def _in_float32(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.float() if value.is_floating_point() else value
    if isinstance(value, list | tuple):
        return type(value)(_in_float32(part) for part in value)
    return value
