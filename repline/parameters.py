"""Parameters: read, overlay, and bind to the function that uses them.

A function's signature is the schema of its section: names, types and defaults live there and nowhere else.
"""

import difflib
import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from repline.errors import InputError


def read(path: str | Path = "params.yaml") -> dict[str, Any]:
    """Read a YAML mapping; InputError if the file is missing, broken, or not a mapping."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such parameter file; run from the project's root folder") from None
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise InputError(f"{path}{where}: this is not valid YAML ({getattr(error, 'problem', error)})") from None
    if not isinstance(value, dict):
        raise InputError(f"{path}: expected a mapping of sections, found {type(value).__name__}")
    return value


def section(values: Mapping[str, Any], dotted: str, path: str | Path = "params.yaml") -> dict[str, Any]:
    """The mapping at `dotted` ("urn.dyck"); InputError naming the nearest section if there is none."""
    current: Any = values
    for depth, key in enumerate(dotted.split(".")):
        if not isinstance(current, Mapping) or key not in current:
            known = list(current) if isinstance(current, Mapping) else []
            parent = ".".join(dotted.split(".")[:depth]) or "the file"
            raise InputError(f"{path}: {parent} has no section {key!r}{nearest(key, known)}")
        current = current[key]
    return current


def merge(base: Mapping[str, Any], override: Mapping[str, Any], path: str = "profile", at: str = "") -> dict[str, Any]:
    """`base` with the leaves of `override`; InputError on a key that `base` lacks, naming the nearest one."""
    merged = dict(base)
    for key, value in override.items():
        name = f"{at}{key}"
        if key not in base:
            raise InputError(f"{path}: unknown parameter {name!r}{nearest(key, base)}")
        if isinstance(base[key], Mapping):
            if not isinstance(value, Mapping):
                raise InputError(f"{path}: {name} is a section, found {value!r}")
            merged[key] = merge(base[key], value, path, f"{name}.")
        else:
            merged[key] = value
    return merged


def variant(values: Mapping[str, Any], name: str, names: Sequence[str], at: str) -> dict[str, Any]:
    """The parameters of one variant: those that all share, overlaid with its own sub-section (`lstm: {units: 50}`).

    Args:
        values: the section; its sub-sections may only be named by `names`.
        at: the section's dotted name, for messages.

    Raises:
        InputError: a sub-section of no variant, naming the nearest one.
    """
    for key, value in values.items():
        if isinstance(value, Mapping) and key not in names:
            raise InputError(f"params.yaml: {at} has no variant {key!r}{nearest(key, names)}")
    shared = {key: value for key, value in values.items() if not isinstance(value, Mapping)}
    return shared | dict(values.get(name) or {})


def bind(function: Callable, values: Mapping[str, Any], at: str, given: tuple[str, ...] = ()) -> dict[str, Any]:
    """Check one section against the keyword-only parameters of `function`, and return it as keyword arguments.

    Args:
        function: its keyword-only parameters are the valid names; their annotations the valid types.
        values: the section as read from params.yaml.
        at: the section's dotted name, for messages.
        given: keyword-only parameters that the caller passes by itself (not read from the section).

    Raises:
        InputError: an unknown name (with the nearest valid one), a missing one, or a value of the wrong type.
    """
    hints = typing.get_type_hints(function)
    wanted = {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and name not in given
    }
    for name, value in values.items():
        if name not in wanted:
            raise InputError(f"params.yaml: unknown parameter '{at}.{name}'{nearest(name, wanted)}")
        hint = hints.get(name, Any)
        if not _fits(value, hint):
            shown = getattr(hint, "__name__", str(hint)) if not typing.get_args(hint) else str(hint)
            raise InputError(f"params.yaml: {at}.{name} should be {shown}, found {value!r}")
    for name, parameter in wanted.items():
        if parameter.default is inspect.Parameter.empty and name not in values:
            raise InputError(f"params.yaml: {at}.{name} is missing")
    return dict(values)


def nearest(name: str, known: Any) -> str:
    """The end of a message about an unknown `name`: the nearest of `known`, else all of them, else nothing."""
    names = [str(item) for item in known]
    close = difflib.get_close_matches(str(name), names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; valid are {', '.join(sorted(names))}" if names else ""


def _fits(value: Any, hint: Any) -> bool:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or hint is inspect.Parameter.empty:
        return True
    if origin in (types.UnionType, typing.Union):
        return any(_fits(value, option) for option in arguments)
    if origin is typing.Literal:
        return value in arguments
    if origin in (list, tuple) or hint in (list, tuple):
        return isinstance(value, list) and all(_fits(item, arguments[0]) for item in value if arguments)
    if origin is dict or hint is dict:
        return isinstance(value, dict)
    if hint in (None, type(None)):
        return value is None
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint) if isinstance(hint, type) else True
