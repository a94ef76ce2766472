"""What a training is known by: the name of its checkpoints changes with everything that its result depends on."""

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from torch import Tensor, nn

from repline.training.settings import ANY, NO_RESULT, Hardware

BLOCK = 1 << 20  # numbers of a stream that are read at a time


def fingerprint(
    model: nn.Module,
    settings: Mapping[str, Any],
    data: Iterable[Any] = (),
    *,
    loss: Callable[..., Any] | None = None,
    hardware: Hardware = ANY,
) -> str:
    """16 hex digits that change with the code of model and loss, the model's shapes, the settings, data and hardware.

    How often a training is saved does not count. A checkpoint folder named by it is never resumed by a run with other
    parameters.

    Args:
        data: tensors, arrays, or streams of numbers that are read in slices; none is copied as a whole.
        loss: a function or a class; its module counts, and those of the model, of its parts and of their bases, and
            all modules of ours that these take something from.
    """
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    digest.update(hardware.model_dump_json(exclude=NO_RESULT).encode())
    for path in code(model, loss):
        digest.update(path.read_bytes())
    digest.update(repr([(key, tuple(value.shape)) for key, value in model.state_dict().items()]).encode())
    for part in data:
        for block in _blocks(part):
            digest.update(block)
    return digest.hexdigest()[:16]


def code(model: nn.Module, loss: Callable[..., Any] | None = None) -> list[Path]:
    """The files that a model and its loss come from, sorted; of libraries none."""
    kinds = [kind for part in model.modules() for kind in type(part).__mro__]
    names = {kind.__module__ for kind in kinds}
    if loss is not None:
        names.add(loss.__module__)
    first = (type(model).__module__, getattr(loss, "__module__", "repline"))
    own = {"repline", *(name.split(".")[0] for name in first)} - {"torch"}
    found: dict[str, Path] = {}
    waiting = [name for name in names if name.split(".")[0] in own]
    while waiting:
        name = waiting.pop()
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if name in found or file is None:
            continue
        found[name] = Path(file)
        taken = {_home(value) for value in vars(module).values()}
        waiting += [other for other in taken if other and other.split(".")[0] in own]
    return sorted(found.values())


def _home(value: Any) -> str | None:
    """The module that a value in a module's namespace comes from, if it says so."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return name if isinstance(name, str) else None


def _blocks(part: Any) -> Iterator[memoryview]:
    """The bytes of a tensor or an array, without a copy where they lie one after the other in memory."""
    if isinstance(part, Tensor):
        part = part.detach().to("cpu").contiguous().view(-1).numpy()
    for start in range(0, len(part), BLOCK):
        yield memoryview(np.ascontiguousarray(part[start : start + BLOCK])).cast("B")
