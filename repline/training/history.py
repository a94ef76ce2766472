"""What a training tells of itself, and what it minimises: the types that all of `repline.training` shares."""

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn

Loss = Callable[[nn.Module, tuple[Tensor, ...]], Tensor | tuple[Any, ...]]
Record = dict[str, float]
History = list[Record]
