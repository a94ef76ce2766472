"""Training in bfloat16 on a CPU whose kernels lack a part of it: LSTMs are computed in float32 there.

oneDNN has no bfloat16 LSTM on processors without AVX-512, and says so from deep inside a forward pass. Whether this
one has it is tried, not read from a list of processors.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from repline.files import another_process


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


def supported_lstm(precision: str, device: torch.device) -> AbstractContextManager[Any]:
    """The context to train in: `LSTMInFloat32` where `device` has no LSTM of this precision, else one without effect.

    Args:
        precision: "32-true" or "bf16-mixed", as in `repline.training.recipes.Hardware`.
    """
    if precision == "bf16-mixed" and device.type == "cpu" and not has_bfloat16_lstm():
        return LSTMInFloat32()
    return nullcontext()


class LSTMInFloat32(TorchFunctionMode):
    """A context in which every LSTM is computed in float32, also under autocast; its outputs are float32.

    It covers `torch.nn.LSTM` and `torch.lstm`. Gates of `torch.nn.LSTMCell` are matrix products, which need nothing
    special in bfloat16. The first LSTM is announced in one line.
    """

    announced = False

    def __torch_function__(
        self, function: Callable, types: Sequence[type], args: tuple = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        if function is not torch.lstm:
            return function(*args, **(kwargs or {}))
        if not self.announced and not another_process():
            self.announced = True
            print("hardware.precision: this processor has no LSTM in bfloat16; it is computed in float32", flush=True)
        with torch.autocast("cpu", enabled=False):
            return function(*(_in_float32(value) for value in args), **(kwargs or {}))


def _in_float32(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.float() if value.is_floating_point() else value
    if isinstance(value, list | tuple):
        return type(value)(_in_float32(part) for part in value)
    return value
