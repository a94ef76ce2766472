"""Custom autograd functions under autocast: they compute in float32 there, forward and backward, on every device."""

from typing import Any, TypeVar

import torch
from torch.amp import custom_bwd, custom_fwd
from torch.autograd import Function

Custom = TypeVar("Custom", bound=type[Function])


def full_precision(function: Custom) -> Custom:
    """A decorator of a `torch.autograd.Function`.

    Where autocast is on, tensors of half precision that it is given become float32, and autocast is off inside it. So
    its buffers are of one type, and its backward pass computes as its forward pass did, even if it runs under another
    setting of autocast. Elsewhere it changes nothing.
    """
    kind: Any = function
    for device in ("cpu", "cuda"):
        forward = custom_fwd(kind.forward, device_type=device, cast_inputs=torch.float32)
        kind.forward = staticmethod(forward)
        kind.backward = staticmethod(custom_bwd(kind.backward, device_type=device))
    return function
