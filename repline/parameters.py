"""Parameters: read, overlaid, and checked against what uses them.

A section of params.yaml is written down once, as a `Section` (a pydantic model) that the function takes which uses it.
Names, types and defaults live there and nowhere else.
"""

import datetime
import difflib
import re
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from repline import yaml_text
from repline.errors import InputError, shown

Values = Mapping[str, Any]  # of a YAML file or of a section of it, as they are written: nothing has checked them yet
Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
JsonObject = Mapping[str, Json]
REPLACE = "!replace"  # before a mapping in a profile: it takes the place of the one in params.yaml


@dataclass(frozen=True)
class Overlays:
    """Marks a field of a section that holds variants: values that all share are laid under the values of each.

        variants: Annotated[dict[Name, Recipe], Overlays("recipe")]

    Attributes:
        shared: the key of the section that holds the shared values, whether it is a field of the section or not; None:
            they are all keys of the section that are not its fields.
    """

    shared: str | None = None


class Section(BaseModel):
    """A section of params.yaml: unknown keys are refused, and so are values of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _overlay(cls, values: Any) -> Any:
        for field, mark in overlay_fields(cls).items():
            if not isinstance(values, Mapping) or not isinstance(values.get(field), Mapping):
                continue
            own_values, shared = shared_values(cls, values, mark)
            if not isinstance(shared, Mapping):
                raise ValueError(f"{mark.shared} should be a section, found {shared!r}")
            variants = {
                name: {**shared, **variant} if isinstance(variant, Mapping) else variant
                for name, variant in own_values[field].items()
            }
            values = {**own_values, field: variants}
        return values


def overlay_fields(section: type[BaseModel]) -> dict[str, Overlays]:
    """The fields that `Overlays` marks; one whose shared values are all other keys of the section comes last."""
    marks = {
        field.alias or name: mark
        for name, field in section.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, Overlays)
    }
    return dict(sorted(marks.items(), key=lambda item: item[1].shared is None))


def shared_values(section: type[BaseModel], values: Values, mark: Overlays) -> tuple[Values, Any]:
    """The values of a section that are its own, and those that its variants share."""
    fields = {field.alias or name for name, field in section.model_fields.items()}
    if mark.shared is not None:
        own_values = {key: value for key, value in values.items() if key != mark.shared or key in fields}
        return own_values, values.get(mark.shared, {})
    own_values = {key: value for key, value in values.items() if key in fields}
    return own_values, {key: value for key, value in values.items() if key not in fields}


Model = TypeVar("Model", bound=Section)


def _without_repeats(seeds: list[int]) -> list[int]:
    if len(set(seeds)) < len(seeds):
        again = next(seed for seed in seeds if seeds.count(seed) > 1)
        raise ValueError(f"the seed {again} is there twice, and its runs would count as two; leave one out")
    return seeds


# one run each
Seeds = Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1), AfterValidator(_without_repeats)]
Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, lt=1)]  # of dropout, for one


def _is_name(name: str) -> str:
    if not name.isidentifier():
        raise ValueError(f"a name should be a word like without_attention, found {name!r}")
    return name


Name = Annotated[str, AfterValidator(_is_name)]  # of a variant, a corpus, a network: a part of commands and folders


class Replacement(dict):
    """A mapping that a profile marked with `!replace`."""


def read(path: str | Path = "params.yaml") -> Values:
    """Read a YAML mapping; InputError if the file is missing, broken, or not a mapping."""
    try:
        value = yaml_text.read(path, _Loader)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such parameter file; run from the project's root folder") from None
    if not isinstance(value, dict):
        raise InputError(f"{path}: expected a mapping of sections, found {type(value).__name__}")
    return value


def section(values: Values, dotted: str, path: str | Path = "params.yaml") -> Values:
    """The mapping at `dotted` ("urn.dyck"); InputError naming the nearest section if there is none."""
    current: Any = values
    for depth, key in enumerate(dotted.split(".")):
        if not isinstance(current, Mapping) or key not in current:
            valid = list(current) if isinstance(current, Mapping) else []
            parent = ".".join(dotted.split(".")[:depth]) or "the file"
            raise InputError(f"{path}: {parent} has no section {shown(key)}{nearest(key, valid)}")
        current = current[key]
    return current


def merge(base: Values, override: Values, path: str = "profile", prefix: str = "") -> Values:
    """`base` with the leaves of `override`.

    A mapping inside a section whose values are all mappings keeps variants by their names: an override may add some, or
    take the place of all of them where it is marked with `!replace`. To an empty mapping it may add anything.

    Raises:
        InputError: a key that `base` lacks, naming the nearest one.
    """
    merged = dict(base)
    for key, value in override.items():
        name = f"{prefix}{key}"
        if key not in base:
            if not (prefix and (not base or all(isinstance(variant, Mapping) for variant in [value, *base.values()]))):
                raise InputError(f"{path}: unknown parameter {shown(name)}{nearest(key, base)}")
            merged[key] = dict(value) if isinstance(value, Mapping) else value
        elif isinstance(base[key], Mapping) and not isinstance(value, Replacement):
            if not isinstance(value, Mapping):
                raise InputError(f"{path}: {name} is a section, found {shown(value)}")
            merged[key] = merge(base[key], value, path, f"{name}.")
        else:
            merged[key] = dict(value) if isinstance(value, Replacement) else value
    return merged


def load(model: type[Model], dotted: str, values: Values | None = None) -> Model:
    """The section `dotted` ("urn.dyck") of params.yaml, checked.

    Args:
        values: the whole of params.yaml; None to read it.

    Raises:
        InputError: there is no such section, or it has an unknown key (naming the nearest valid one), lacks one, or has
            a value that it should not have.
    """
    return check(model, section(read() if values is None else values, dotted), dotted)


def check(model: type[Model], values: Any, dotted: str) -> Model:
    """`values`, the section named `dotted`, as a model; InputError as in `load`."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise InputError(f"params.yaml: {_sentence(error.errors(), model, dotted, values)}") from None


def overlaid(model: type[Model], layers: Mapping[str, Section | Values]) -> Model:
    """One section of several that are laid over each other, later ones winning.

    Args:
        layers: their values by their dotted names. Of a Section, the values that it sets count.

    Raises:
        InputError: as in `load`, naming the layer that has the mistake.
    """
    plain = {
        layer_name: layer.model_dump(by_alias=True, exclude_unset=True) if isinstance(layer, Section) else dict(layer)
        for layer_name, layer in layers.items()
    }
    values = {key: value for layer in plain.values() for key, value in layer.items()}
    try:
        return model.model_validate(values)
    except ValidationError as error:
        errors = error.errors()
        for layer_name, layer in reversed(plain.items()):
            layer_errors = [item for item in errors if item["loc"] and item["loc"][0] in layer]
            if layer_errors:
                raise InputError(f"params.yaml: {_sentence(layer_errors, model, layer_name)}") from None
        raise InputError(f"params.yaml: {_sentence(errors, model, list(plain)[-1])}") from None


def _sentence(errors: Sequence[ErrorDetails], model: type[BaseModel], dotted: str, values: Any = None) -> str:
    """What is wrong, for a person: a name that nothing knows, else the first mistake that pydantic found.

    Args:
        values: the section as it was read; a mistake in values that variants share is named where they stand.
    """
    error = min(errors, key=lambda error: error["type"] != "extra_forbidden")
    where, valid = _as_written(error["loc"], model, values)
    name = dotted + where if dotted else where.removeprefix(".")
    if error["type"] == "extra_forbidden":
        return f"unknown parameter {name!r}{nearest(str(error['loc'][-1]), valid)}"
    if error["type"] == "missing":
        return f"{name} is missing{_written_as(str(error['loc'][-1]), error['input'], valid)}"
    if error["type"] == "value_error":
        return f"{name}: {error['ctx']['error']}"
    if error["type"].startswith("union_tag_"):
        tag = error["ctx"]["discriminator"].strip("'")
        if "tag" not in error["ctx"]:
            return f"{name}.{tag} is missing"
        expected = error["ctx"]["expected_tags"].replace("'", "")
        return f"{name}.{tag} should be one of {expected}, found {error['ctx']['tag']!r}"
    expectation = (
        re.sub(r" after validation, not \d+$| or instance of \w+$", "", error["msg"].partition(" should ")[2])
        or error["msg"]
    )
    return f"{name} should {expectation}, found {_found(error['input'])}"


def _found(value: Any) -> str:
    """A value as params.yaml may have it: YAML takes 2026-11-27 for a date."""
    return f"the date {value}; put quotes around a text" if isinstance(value, datetime.date) else shown(value)


def _as_written(location: Sequence[str | int], model: type[BaseModel], values: Any) -> tuple[str, list[str]]:
    """Where a mistake stands in a section (".variants.turn.k"), and the names that may stand there."""
    kind: Any = model
    where, valid, parts = "", list[str](), [part for part in location if part != "[key]"]
    while parts:
        part = parts.pop(0)
        option = _option(kind, part)
        if option is not None:  # the location names the tag, the section does not
            kind, valid = option, list(option.model_fields)
            continue
        mark = _mark_of(kind, part)
        if mark is not None and isinstance(values, Mapping) and len(parts) > 1:
            shared, variant = shared_values(kind, values, mark)[1], values[part][parts[0]]
            if parts[1] in shared and parts[1] not in variant:
                outer_names = _inside(kind, part)[1] if mark.shared is None else []
                kind, valid = _inside(_inside(_inside(kind, part)[0], parts[0])[0], parts[1])
                where += f".{mark.shared}.{parts[1]}" if mark.shared else f".{parts[1]}"
                valid, values, parts = [*valid, *outer_names], shared[parts[1]], parts[2:]
                continue
        kind, valid = _inside(kind, part)
        values = values.get(part) if isinstance(values, Mapping) else None
        if kind is not None:
            where += f"[{part}]" if isinstance(part, int) else f".{part}"
    return where, valid


def _mark_of(kind: Any, part: str | int) -> Overlays | None:
    if isinstance(part, int) or not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return None
    return overlay_fields(kind).get(part)


def _option(kind: Any, part: str | int) -> type[BaseModel] | None:
    """The section of this tag, where `kind` is several sections that a discriminator tells apart."""
    if typing.get_origin(kind) is Annotated:
        union, *marks = typing.get_args(kind)
        for tag in filter(None, (getattr(mark, "discriminator", None) for mark in marks)):
            for option in typing.get_args(union):
                if part in typing.get_args(option.model_fields[tag].annotation):
                    return option
    return None


def _written_as(missing: str, values: Any, valid: Sequence[str]) -> str:
    """The end of a message about a name that is missing: the name that was probably meant for it, if one is like it."""
    unknown = [str(name) for name in values if str(name) not in valid] if isinstance(values, Mapping) else []
    close = difflib.get_close_matches(missing, unknown, n=1, cutoff=0.75)
    return f"; is {close[0]!r} meant for it?" if close else ""


def _inside(kind: Any, part: str | int) -> tuple[Any, list[str]]:
    """The type at `part` of a value of type `kind`, and the names that may stand there; None for a label of pydantic's,
    which says the option of a union that it tried."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _inside(arguments[0], part)
    if origin in (typing.Union, types.UnionType):
        inside = (_inside(option, part) for option in arguments)
        return next((inner for inner in inside if inner[0] is not None), (None, []))
    if origin is dict:
        return arguments[1], []
    if origin in (list, tuple):
        return (arguments[0], []) if isinstance(part, int) else (None, [])
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        names = {field.alias or name: field.annotation for name, field in kind.model_fields.items()}
        return names.get(str(part), Any), list(names)
    return None, []


def nearest(name: str, valid: Any) -> str:
    """The end of a message about an unknown `name`: the nearest of `valid`, else all of them, else nothing."""
    names = [str(item) for item in valid]
    close = difflib.get_close_matches(str(name), names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; valid are {', '.join(sorted(names))}" if names else ""


class _Loader(yaml_text.SafeLoader):
    """YAML as `yaml_text.parse` reads it, and `!replace` before a mapping."""


def _replacement(loader: yaml.SafeLoader, node: yaml.Node) -> Replacement:
    return Replacement(loader.construct_mapping(node, deep=True))


_Loader.add_constructor(REPLACE, _replacement)
