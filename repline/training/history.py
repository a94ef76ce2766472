"""Types that all of `repline.training` shares: the history of a training, and its loss."""

from collections.abc import Callable
from typing import Any, TypeVar

from torch import Tensor, nn

Model = TypeVar("Model", bound=nn.Module)
# of a model and a batch, which is a tuple of tensors in an order that the loss knows; see `repline.training.fit.fit`
Loss = Callable[[Model, Any], Tensor | tuple[Any, ...]]
Record = dict[str, float]
History = list[Record]
