"""Single parameters from the command line or the Prefect UI: `train.seed=1`, as `dvc exp run -S` takes them.

`models.toml:train.seed=1` is one of another parameter file, in YAML, JSON or TOML.
"""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML, YAMLError

from flows.errors import InputError
from flows.files import new_file
from flows.project import parameters
from flows.project.nearest import nearest

MAX_NAME_LENGTH = 60  # characters of the overrides in the name of their workspace
PARAMETERS = "params.yaml"  # what an override without a file is of
FORMATS = (".yaml", ".yml", ".json", ".toml")
ADD = "+"  # before a name that params.yaml does not have yet


def by_file(overrides: Sequence[str]) -> dict[str, list[str]]:
    """The overrides of each file, without the name of it; InputError for a file outside of the project."""
    groups: dict[str, list[str]] = {}
    for override in overrides:
        name, equals, value = override.partition("=")
        file, _, name = name.rpartition(":")
        path = os.path.normpath(file or PARAMETERS)
        if path.startswith(("/", "..")):
            raise InputError(f"override {override!r}: {file} is not in the project; name a file from its root folder")
        groups.setdefault(path, []).append(f"{name}{equals}{value}")
    return groups


def write(source: Path, target: Path, overrides: Sequence[str]) -> None:
    """Write a copy of a parameter file other than params.yaml, with the overrides.

    Raises:
        InputError: no such file, another kind of file, or an override that it cannot take.
    """
    from dvc.exceptions import DvcException
    from dvc.utils.serialize import DUMPERS, LOADERS

    suffix = source.suffix.lower()
    if suffix not in FORMATS or not source.is_file():
        kinds = ", ".join(FORMATS)
        raise InputError(f"override {overrides[0]!r}: {source} is no parameter file; expected one that ends in {kinds}")
    try:
        values = apply(LOADERS[suffix](str(source)), overrides)
    except DvcException as error:
        raise InputError(f"{source}: {error}") from None
    with new_file(target) as partial:
        DUMPERS[suffix](str(partial), values)


def apply(values: parameters.Values, overrides: Sequence[str]) -> dict[str, Any]:
    """`values` with the overrides; a mapping changes only the keys that it names, as in a profile.

    Args:
        values: the whole of params.yaml.
        overrides: `name=value`, the name with dots and the value in YAML; `+name=value` adds what is not there.

    Raises:
        InputError: not of this form, or a name that `values` does not have (the message names the nearest one).
    """
    for override in overrides:
        names, value = _parse(override)
        if override.startswith(ADD):
            values = _add(values, names, value, override)
        else:
            for name in reversed(names):
                value = {name: value}
            values = parameters.merge(values, value, f"override {override!r}")
    return dict(values)


def folder(profile: str, overrides: Sequence[str]) -> str:
    """The name of the workspace of a profile with overrides: readable, and different for each set of overrides."""
    if not overrides:
        return profile
    text = ",".join(sorted(overrides))
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{profile}+{re.sub(r'[^A-Za-z0-9._=-]+', '_', text)[:MAX_NAME_LENGTH].strip('_')}-{digest}"


def _parse(override: str) -> tuple[list[str], Any]:
    name, equals, text = override.removeprefix(ADD).partition("=")
    names = name.strip().split(".")
    if not equals or not all(names):
        raise InputError(f"override {override!r}: expected NAME=VALUE, such as train.seed=1")
    try:
        return names, YAML(typ="safe").load(text)  # as DVC reads it: 1e-3 is a number
    except YAMLError as error:
        raise InputError(f"override {override!r}: the value is not YAML ({getattr(error, 'problem', error)})") from None


def _add(values: parameters.Values, names: list[str], value: Any, override: str) -> dict[str, Any]:
    name, *rest = names
    if rest and not isinstance(values.get(name), Mapping):
        raise InputError(f"override {override!r}: there is no section {name!r}{nearest(name, values)}")
    if not rest and name in values:
        raise InputError(f"override {override!r}: {name!r} is there already; leave the + out")
    return {**values, name: _add(values[name], rest, value, override) if rest else value}
