"""The fingerprint of a training: the name of its checkpoints, which changes with everything its result depends on."""

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from torch import Tensor, nn

from repline.code_digests.reach import Code
from repline.parameters import JsonObject
from repline.training.recipes import ANY, Hardware

BLOCK = 1 << 20  # numbers of a stream that are read at a time
LIBRARY = "repline"


def fingerprint(
    model: nn.Module,
    settings: JsonObject,
    data: Iterable[Any] = (),
    *,
    loss: Callable[..., Any] | None = None,
    hardware: Hardware = ANY,
) -> str:
    """16 hex digits that change with the code of model and loss, the model's shapes, the settings, data and hardware.

    Comments and docstrings do not count. A checkpoint folder named by it is
    never resumed by a run with other parameters.

    Args:
        data: tensors, arrays, or streams of numbers that are read in slices; none is copied as a whole.
        loss: a function or a class. All that it and the model can reach counts: of repline by its definitions, of
            other packages that they lie in by whole files; of libraries nothing.
    """
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    digest.update(hardware.model_dump_json().encode())
    addresses, files = code(model, loss)
    for address in addresses:
        digest.update(_digest(address).encode())
    for path in files:
        digest.update(path.read_bytes())
    digest.update(repr([(key, tuple(value.shape)) for key, value in model.state_dict().items()]).encode())
    for part in data:
        for block in _blocks(part):
            digest.update(block)
    return digest.hexdigest()[:16]


def code(model: nn.Module, loss: Callable[..., Any] | None = None) -> tuple[list[str], list[Path]]:
    """The code of a model and its loss.

    Returns:
        definitions of repline ("repline.layers.sru:SRU"), and files of the other packages that the two lie in, with the
        files that these take something from; each sorted.
    """
    values: list[Any] = list({kind for part in model.modules() for kind in type(part).__mro__})
    if loss is not None:
        values.append(loss)
    first = (type(model).__module__, getattr(loss, "__module__", LIBRARY))
    packages = {name.split(".")[0] for name in first} - {"torch", LIBRARY}
    addresses: set[str] = set()
    files: dict[str, Path] = {}
    while values:
        value = values.pop()
        name = _home(value) or ""
        top = name.split(".")[0]
        if top == LIBRARY:
            addresses.add(_address(value, name))
        elif top in packages and name not in files:
            module = sys.modules.get(name)
            file = getattr(module, "__file__", None)
            if file is not None:
                files[name] = Path(file)
                values += vars(module).values()
    return sorted(addresses), sorted(files.values())


def _home(value: Any) -> str | None:
    """The module that a value comes from, if it says so."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return name if isinstance(name, str) else None


def _address(value: Any, module: str) -> str:
    """Where a value of repline is defined: a definition, or the whole module where its name says none."""
    name = getattr(value, "__qualname__", "").partition(".")[0]
    is_known = not isinstance(value, ModuleType) and name and _house().modules.bound(module).get(name)
    return f"{module}:{name}" if is_known else module


@cache
def _house() -> Code:
    return Code(Path(__file__).parents[2], [LIBRARY])


@cache
def _digest(address: str) -> str:
    return _house().digest(address)


def _blocks(part: Any) -> Iterator[memoryview]:
    """The bytes of a tensor or an array, without a copy where they lie one after the other in memory."""
    if isinstance(part, Tensor):
        part = part.detach().to("cpu").contiguous().view(-1).numpy()
    for start in range(0, len(part), BLOCK):
        block: Any = np.ascontiguousarray(part[start : start + BLOCK])
        yield memoryview(block).cast("B")
