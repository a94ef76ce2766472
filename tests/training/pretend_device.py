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

    def __torch_function__(self, function: Any, types: Any, given: tuple = (), named: dict | None = None) -> Any:
        named = dict(named or {})
        name = getattr(function, "__name__", "")
        tensors = [one for one in tree_flatten((given, named))[0] if isinstance(one, Tensor)]
        here = [one for one in tensors if isinstance(one, OnDevice)]
        if function == Tensor.device.__get__:
            return DEVICE if here else function(*given)
        asked = [one for one in (*given, *named.values()) if isinstance(one, torch.device | str)]
        if asked and name == "to":
            moved = given[0].as_subclass(Tensor)
            others = [one for one in given[1:] if isinstance(one, torch.dtype)]
            moved = moved.to(*others) if others else moved
            return _wrapped(moved) if torch.device(asked[0]) == DEVICE else moved
        if named.get("device") == DEVICE:
            return tree_map(_wrapped, function(*given, **named | {"device": "cpu"}))
        strangers = [one for one in tensors if not isinstance(one, OnDevice) and one.dim() > 0]
        if here and strangers and name not in FROM_HOST:
            raise RuntimeError(f"{name}: tensors of the device and of the CPU")
        if here and name in ("numpy", "__array__"):
            raise TypeError(f"{name} of a tensor of the device; move it to the CPU first")
        found = function(*given, **named)
        if name in TO_HOST:
            return found.as_subclass(Tensor) if isinstance(found, Tensor) else found
        first = given[0] if given and isinstance(given[0], Tensor) else None  # x[...] of the CPU stays there
        stays = name in FROM_HOST and first is not None and not isinstance(first, OnDevice)
        return tree_map(_wrapped, found) if here and not stays else found


def _wrapped(value: Any) -> Any:
    return value.as_subclass(OnDevice) if isinstance(value, Tensor) and not isinstance(value, OnDevice) else value
