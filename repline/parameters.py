"""Parameters: read, overlay, and check against what uses them.

A section of params.yaml is written down once: as a `Section` (a pydantic model), or as the keyword-only parameters of
the function that takes the knobs. Names, types and defaults live there and nowhere else. Functions and models that
share knobs take them as `**knobs: Unpack[Knobs]`, where `Knobs` is a Section.
"""

import difflib
import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_core import ErrorDetails

from repline import yaml_text
from repline.errors import InputError

REPLACE = "!replace"  # before a mapping in a profile: it takes the place of the one in params.yaml


class Section(BaseModel):
    """A section of params.yaml: unknown keys are refused, and so are values of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, arbitrary_types_allowed=True)


Model = TypeVar("Model", bound=Section)
Seeds = Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1)]  # one run each
Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, lt=1)]  # of dropout, for one


class Replacement(dict):
    """A mapping that a profile marked with `!replace`."""


def read(path: str | Path = "params.yaml") -> dict[str, Any]:
    """Read a YAML mapping; InputError if the file is missing, broken, or not a mapping."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such parameter file; run from the project's root folder") from None
    try:
        value = yaml_text.parse(text, _Loader)
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
    """`base` with the leaves of `override`.

    A mapping inside a section whose values are all mappings keeps variants by their names: an override may add some, or
    take the place of all of them where it is marked with `!replace`. To an empty mapping it may add anything.

    Raises:
        InputError: a key that `base` lacks, naming the nearest one.
    """
    merged = dict(base)
    for key, value in override.items():
        name = f"{at}{key}"
        if key not in base:
            if not (at and (not base or all(isinstance(one, Mapping) for one in [value, *base.values()]))):
                raise InputError(f"{path}: unknown parameter {name!r}{nearest(key, base)}")
            merged[key] = dict(value) if isinstance(value, Mapping) else value
        elif isinstance(base[key], Mapping) and not isinstance(value, Replacement):
            if not isinstance(value, Mapping):
                raise InputError(f"{path}: {name} is a section, found {value!r}")
            merged[key] = merge(base[key], value, path, f"{name}.")
        else:
            merged[key] = dict(value) if isinstance(value, Replacement) else value
    return merged


def load(model: type[Model], at: str, values: Mapping[str, Any] | None = None) -> Model:
    """The section `at` ("urn.dyck") of params.yaml, checked.

    Args:
        values: the whole of params.yaml; None to read it.

    Raises:
        InputError: there is no such section, or it has an unknown key (naming the nearest valid one), lacks one, or has
            a value that it should not have.
    """
    return check(model, section(read() if values is None else values, at), at)


def check(model: type[Model], values: Any, at: str) -> Model:
    """`values`, the section named `at`, as a model; InputError as in `load`."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise InputError(f"params.yaml: {_sentence(error.errors(), model, at)}") from None


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
    check(signature(function, given), values, at)
    return dict(values)


def variants(
    model: type[Section],
    shared: Mapping[str, Any],
    own: Mapping[str, Mapping[str, Any]],
    at: str,
    key: str = "variants",
) -> dict[str, dict[str, Any]]:
    """The parameters of every variant by its name: those that all share, overlaid with its own.

    Args:
        model: of the parameters of one variant, as `signature` makes it.
        shared: all of the section `at` except its mapping `key` of variants.
        own: that mapping.

    Raises:
        InputError: as in `load`, naming the place where the mistake is.
    """
    found = {}
    for name, changes in own.items():
        found[name] = {**shared, **changes}
        try:
            model.model_validate(found[name])
        except ValidationError as error:
            errors = error.errors()
            common = [one for one in errors if one["loc"] and one["loc"][0] in shared.keys() - changes.keys()]
            place = at if common else f"{at}.{key}.{name}"
            raise InputError(f"params.yaml: {_sentence(common or errors, model, place)}") from None
    return found


def signature(function: Callable, given: tuple[str, ...] = (), base: type[Model] = Section) -> type[Model]:
    """The keyword-only parameters of `function` as a model, added to the fields of `base`; `given` as in `bind`.

    Where it takes `**knobs: Unpack[Knobs]`, the fields of this Section are among them.
    """
    hints = typing.get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    bases: list[type[Section]] = [base]
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and name not in given:
            fields[name] = hints.get(name, Any), ... if parameter.default is parameter.empty else parameter.default
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD and typing.get_origin(hints.get(name)) is typing.Unpack:
            bases.insert(0, *typing.get_args(hints[name]))
    # a field may not have a name that BaseModel uses, a parameter may
    aliased = {f"field_{name}": (kind, Field(default, alias=name)) for name, (kind, default) in fields.items()}
    return create_model(function.__name__, __base__=tuple(bases), **aliased)


def part(model: type[Section], section: Section) -> dict[str, Any]:
    """The fields that `section` has of `model`, which it is made of, as keyword arguments."""
    return {name: getattr(section, name) for name in model.model_fields}


def arguments(section: Section, *, of: Callable | None = None) -> dict[str, Any]:
    """A section as keyword arguments: the keys that it sets, without the defaults of the others.

    Args:
        of: only the keyword-only parameters of this function.
    """
    found = section.model_dump(by_alias=True, exclude_unset=True)
    if of is None:
        return found
    known = inspect.signature(of).parameters
    return {
        name: value
        for name, value in found.items()
        if name in known and known[name].kind is inspect.Parameter.KEYWORD_ONLY
    }


def _sentence(errors: Sequence[ErrorDetails], model: type[BaseModel], at: str) -> str:
    """What is wrong, for a person: a name that nothing knows, else the first mistake that pydantic found."""
    error = min(errors, key=lambda error: error["type"] != "extra_forbidden")
    name, known, kind = at, [], model
    for part in error["loc"]:
        kind, known = _inside(kind, part)
        if kind is not None:
            name += f"[{part}]" if isinstance(part, int) else f".{part}" if name else str(part)
    if error["type"] == "extra_forbidden":
        return f"unknown parameter {name!r}{nearest(str(error['loc'][-1]), known)}"
    if error["type"] == "missing":
        return f"{name} is missing{_written_as(str(error['loc'][-1]), error['input'], known)}"
    if error["type"] == "value_error":
        return f"{name}: {error['ctx']['error']}"
    wanted = (
        re.sub(r" after validation, not \d+$| or instance of \w+$", "", error["msg"].partition(" should ")[2])
        or error["msg"]
    )
    return f"{name} should {wanted}, found {error['input']!r}"


def _written_as(missing: str, found: Any, known: Sequence[str]) -> str:
    """The end of a message about a name that is missing: the name that was probably meant for it, if one is like it."""
    others = [str(name) for name in found if str(name) not in known] if isinstance(found, Mapping) else []
    close = difflib.get_close_matches(missing, others, n=1, cutoff=0.75)
    return f"; is {close[0]!r} meant for it?" if close else ""


def _inside(kind: Any, part: str | int) -> tuple[Any, list[str]]:
    """The type at `part` of a value of type `kind`, and the names that may stand there; None for a label of pydantic's,
    which says the option of a union that it tried."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _inside(arguments[0], part)
    if origin in (typing.Union, types.UnionType):
        inside = (_inside(one, part) for one in arguments)
        return next((found for found in inside if found[0] is not None), (None, []))
    if origin is dict:
        return arguments[1], []
    if origin in (list, tuple):
        return (arguments[0], []) if isinstance(part, int) else (None, [])
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        names = {field.alias or name: field.annotation for name, field in kind.model_fields.items()}
        return names.get(part, Any), list(names)
    return None, []


def nearest(name: str, known: Any) -> str:
    """The end of a message about an unknown `name`: the nearest of `known`, else all of them, else nothing."""
    names = [str(item) for item in known]
    close = difflib.get_close_matches(str(name), names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; valid are {', '.join(sorted(names))}" if names else ""


class _Loader(yaml_text.SafeLoader):
    """YAML as `yaml_text.parse` reads it, and `!replace` before a mapping."""


def _replacement(loader: yaml.SafeLoader, node: yaml.Node) -> Replacement:
    return Replacement(loader.construct_mapping(node, deep=True))


_Loader.add_constructor(REPLACE, _replacement)
