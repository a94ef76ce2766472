"""Types that all of `repline.training` shares: the history of a training, and its loss."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from torch import Tensor, nn

from repline.parameters import Values

Model = TypeVar("Model", bound=nn.Module)
# of a model and a batch, which is a tuple of tensors in an order that the loss knows; see `repline.training.fit.fit`
Loss = Callable[[Model, Any], Tensor | tuple[Any, ...]]
Record = dict[str, float]
History = list[Record]


class TrainingRecord(TypedDict):
    """What every training.json says; a training may have further entries."""

    history: History
    settings: Values
    parameters: int


def read_record(folder: str | Path) -> TrainingRecord:
    """The training.json of a model that was trained."""
    return json.loads((Path(folder) / "training.json").read_text(encoding="utf-8"))
