"""The fingerprint of a training: the name of its checkpoints, which changes with everything its result depends on."""

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from torch import Tensor, nn

from repline.caches.library_code import LIBRARY, library_code, library_digest
from repline.parameters import JsonObject
from repline.training.recipes import ANY, Hardware

BLOCK = 1 << 20  # numbers of a stream that are read at a time
TRAINER = "repline.training.fit:fit"  # with it the optimizers, schedules and callbacks count


def fingerprint(
    model: nn.Module,
    settings: JsonObject,
    data: Iterable[Any] = (),
    *,
    loss: Callable[..., Any] | None = None,
    others: Iterable[Any] = (),
    code_digest: str | None = None,
    hardware: Hardware = ANY,
) -> str:
    """16 hex digits that change with the code of a training, the model's shapes, the settings, data and hardware.

    Comments and docstrings do not count. A checkpoint folder named by it is
    never resumed by a run with other parameters.

    Args:
        data: tensors, arrays, or streams of numbers that are read in slices; none is copied as a whole.
        loss: a function or a class. All that it, the model and `repline.training.fit.fit` can reach counts: of repline
            by its definitions, of other packages that they lie in by whole files; of libraries nothing.
        others: further functions and classes of the training, such as a schedule or what measures an epoch.
        code_digest: of all code that the training can reach, where it is known; it stands in place of all that.
    """
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    digest.update(hardware.model_dump_json().encode())
    if code_digest is not None:
        digest.update(code_digest.encode())
    else:
        addresses, files = code(model, loss, *others)
        for address in [TRAINER, *addresses]:
            digest.update(library_digest(address).encode())
        for path in files:
            digest.update(path.read_bytes())
    digest.update(repr([(key, tuple(value.shape)) for key, value in model.state_dict().items()]).encode())
    for part in data:
        for block in _blocks(part):
            digest.update(block)
    return digest.hexdigest()[:16]


def code(model: nn.Module, *functions: Any) -> tuple[list[str], list[Path]]:
    """The code of a model and of functions and classes, its loss among them; None is left out.

    Returns:
        definitions of repline ("repline.layers.sru:SRU"), and files of the other packages that they lie in, with the
        files that these take something from; each sorted.
    """
    values: list[Any] = list({kind for part in model.modules() for kind in type(part).__mro__})
    first = [_whole(function) for function in functions if function is not None]
    values += first
    packages = {(_home(value) or LIBRARY).split(".")[0] for value in (type(model), *first)} - {"torch", LIBRARY}
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


def _whole(function: Any) -> Any:
    """The function that a `functools.partial` is a part of; any other value as it is."""
    return _whole(function.func) if isinstance(function, partial) else function


def _home(value: Any) -> str | None:
    """The module that a value comes from, if it says so."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return name if isinstance(name, str) else None


def _address(value: Any, module: str) -> str:
    """Where a value of repline is defined: a definition, or the whole module where its name says none."""
    name = getattr(value, "__qualname__", "").partition(".")[0]
    is_known = not isinstance(value, ModuleType) and name and library_code().modules.bound(module).get(name)
    return f"{module}:{name}" if is_known else module


def _blocks(part: Any) -> Iterator[memoryview]:
    """The bytes of a tensor or an array, without a copy where they lie one after the other in memory."""
    if isinstance(part, Tensor):
        part = part.detach().to("cpu").contiguous().view(-1).numpy()
    for start in range(0, len(part), BLOCK):
        block: Any = np.ascontiguousarray(part[start : start + BLOCK])
        yield memoryview(block).cast("B")
