"""Parameter files: read, and laid over each other, as the project does it or as any YAML."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from flows.errors import InputError
from flows.project import hooks
from flows.project.nearest import nearest

Values = Mapping[str, Any]  # of a YAML file, as they are written


def read(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file; InputError where there is none."""
    if reader := hooks.find("read_parameters"):
        return reader(path)
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such parameter file") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: this is not valid YAML ({error})") from None
    if not isinstance(values, dict):
        raise InputError(f"{path}: expected a mapping of parameters, found {type(values).__name__}")
    return values


def merge(base: Values, override: Values, name: str) -> dict[str, Any]:
    """`base` with the values of `override`, whose names it must have.

    Args:
        name: of the override, for the message about a name that `base` lacks.
    """
    merge_as_the_project = hooks.find("merge_parameters")
    return merge_as_the_project(base, override, name) if merge_as_the_project else _merge(base, override, name, "")


def _merge(base: Values, override: Values, name: str, prefix: str) -> dict[str, Any]:
    merged = dict(base)
    for key, value in override.items():
        if key not in base:
            raise InputError(f"{name}: unknown parameter {prefix + key!r}{nearest(key, base)}")
        inner = base[key]
        if isinstance(inner, Mapping) and isinstance(value, Mapping):
            value = _merge(inner, value, name, f"{prefix}{key}.")
        merged[key] = value
    return merged
