"""A device for tests on machines without a GPU: its tensors lie in the memory of the CPU, and behave as a GPU's do.

    with PretendDevice():
        model = on_device(model)        # its tensors say that they are on `cuda`
        model(ids)                      # TypeError or RuntimeError: ids are on the CPU
        model(on_device(ids)).numpy()   # TypeError; `.cpu().numpy()` is right

What is made of a tensor of the device, or with its `device`, is on the device too. Only the forward pass is watched.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_flatten, tree_map

DEVICE = torch.device("cuda")
# what a GPU may take from the CPU: indices, and values to copy
FROM_HOST = {"__getitem__", "__setitem__", "copy_", "index", "index_put", "index_put_", "pack_padded_sequence"}
TO_HOST = {"cpu", "item", "tolist", "__bool__", "__float__", "__int__", "__index__"}


class OnDevice(Tensor):
    """A tensor of the pretend device."""

    __torch_function__ = torch._C._disabled_torch_function_impl

    def numpy(self, **_: Any) -> None:
        raise TypeError("a tensor of the device has no .numpy(); move it to the CPU first")

    def __array__(self, *_: Any, **__: Any) -> None:
        raise TypeError("a tensor of the device is no array; move it to the CPU first")


def on_device(value: Any) -> Any:
    """Move tensors, or a module with all its tensors, to the device."""
    if isinstance(value, nn.Module):
        for module in value.modules():
            for name, parameter in list(module._parameters.items()):
                if parameter is not None:
                    module._parameters[name] = nn.Parameter(parameter.detach().as_subclass(OnDevice))
            for name, buffer in list(module._buffers.items()):
                module._buffers[name] = on_device(buffer)
            if isinstance(module, nn.RNNBase):
                module._flat_weights = [getattr(module, name) for name in module._flat_weights_names]
        return value
    return tree_map(_wrapped, value)


class PretendDevice(TorchFunctionMode):
    """While it lasts, tensors of the device know where they are."""

    def __torch_function__(self, function: Any, types: Any, positional: tuple = (), named: dict | None = None) -> Any:
        named = dict(named or {})
        name = getattr(function, "__name__", "")
        tensors = [value for value in tree_flatten((positional, named))[0] if isinstance(value, Tensor)]
        here = [value for value in tensors if isinstance(value, OnDevice)]
        if function == Tensor.device.__get__:
            return DEVICE if here else function(*positional)
        devices = [value for value in (*positional, *named.values()) if isinstance(value, torch.device | str)]
        if devices and name == "to":
            moved = positional[0].as_subclass(Tensor)
            dtypes = [value for value in positional[1:] if isinstance(value, torch.dtype)]
            moved = moved.to(*dtypes) if dtypes else moved
            return _wrapped(moved) if torch.device(devices[0]) == DEVICE else moved
        if named.get("device") == DEVICE:
            return tree_map(_wrapped, function(*positional, **named | {"device": "cpu"}))
        strangers = [value for value in tensors if not isinstance(value, OnDevice) and value.dim() > 0]
        if here and strangers and name not in FROM_HOST:
            raise RuntimeError(f"{name}: tensors of the device and of the CPU")
        if here and name in ("numpy", "__array__"):
            raise TypeError(f"{name} of a tensor of the device; move it to the CPU first")
        if here and name in ("lstm", "gru"):  # cuDNN's kernels
            states = positional[1] if name == "lstm" and isinstance(positional[1], tuple | list) else [positional[1]]
            if not all(state.is_contiguous() for state in states if state.dim() == 3):
                raise RuntimeError("rnn: hx is not contiguous")
        result = function(*positional, **named)
        if name in TO_HOST:
            return result.as_subclass(Tensor) if isinstance(result, Tensor) else result
        # x[...] of the CPU stays there
        first = positional[0] if positional and isinstance(positional[0], Tensor) else None
        stays = name in FROM_HOST and first is not None and not isinstance(first, OnDevice)
        return tree_map(_wrapped, result) if here and not stays else result


def _wrapped(value: Any) -> Any:
    return value.as_subclass(OnDevice) if isinstance(value, Tensor) and not isinstance(value, OnDevice) else value
