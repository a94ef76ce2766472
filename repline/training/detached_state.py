"""States that a training carries from one batch to the next.

A state is a tensor, None, a tuple or list of states, or an object that keeps them in its attributes and has
`detach()`. Classes of their own, named tuples too, are to be known to `torch.serialization.add_safe_globals`, so that
they can be read back from a checkpoint.
"""

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

State = Any


def detached(state: State) -> State:
    """The state, detached from the autograd graph."""
    if isinstance(state, tuple | list):
        return _rebuilt(state, detached)
    return state.detach() if hasattr(state, "detach") else state


def moved(state: State, device: str | torch.device) -> State:
    """A state, or a dict of states, with its tensors on another device."""
    if isinstance(state, Tensor):
        return state.to(device)
    if isinstance(state, dict):
        return {key: moved(value, device) for key, value in state.items()}
    if isinstance(state, tuple | list):
        return _rebuilt(state, lambda part: moved(part, device))
    if hasattr(state, "__dict__"):
        state = copy.copy(state)
        for name, value in list(vars(state).items()):
            setattr(state, name, moved(value, device))
    return state


def _rebuilt(state: tuple | list, change: Callable[[State], State]) -> State:
    parts = map(change, state)
    return type(state)(*parts) if hasattr(state, "_fields") else type(state)(parts)
