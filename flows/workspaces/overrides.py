"""Single parameters from the command line or the Prefect UI: `train.seed=1`, as `dvc exp run -S` takes them."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from flows.errors import InputError
from flows.project import parameters
from flows.project.nearest import nearest

MAX_NAME_LENGTH = 60  # characters of the overrides in the name of their workspace
ADD = "+"  # before a name that params.yaml does not have yet


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
        return names, yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(f"override {override!r}: the value is not YAML ({getattr(error, 'problem', error)})") from None


def _add(values: parameters.Values, names: list[str], value: Any, override: str) -> dict[str, Any]:
    name, *rest = names
    if rest and not isinstance(values.get(name), Mapping):
        raise InputError(f"override {override!r}: there is no section {name!r}{nearest(name, values)}")
    if not rest and name in values:
        raise InputError(f"override {override!r}: {name!r} is there already; leave the + out")
    return {**values, name: _add(values[name], rest, value, override) if rest else value}
