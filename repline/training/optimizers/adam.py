"""Adam over all parameters at once: the bits of `torch.optim.Adam`, with fewer calls from Python on a CPU."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn


def adam(parameters: Iterable[nn.Parameter], learning_rate: float, **knobs: Any) -> torch.optim.Adam:
    """The optimiser. On a GPU it is the one that torch takes by itself.

    Args:
        knobs: of `torch.optim.Adam`.

    Source: Kingma & Ba 2015.
    """
    return torch.optim.Adam(parameters, learning_rate, **({"foreach": True} | knobs))
