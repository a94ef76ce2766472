"""Records of claims, verdicts and published numbers: typed models, and what is wrong with a written one."""

from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from repline import yaml_text
from repline.errors import InputError, shown
from repline.parameters import Json, nearest

Number = int | float


class Record(BaseModel):
    """A typed record that a file holds; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    def as_json(self) -> dict[str, Json]:
        """The record as JSON holds it: optional keys without a value are left out, required ones are null."""
        values = self.model_dump(mode="json")
        return {key: value for key, value in values.items() if value is not None or key not in self._left_out()}

    @classmethod
    def _left_out(cls) -> set[str]:
        return {name for name, field in cls.model_fields.items() if LEFT_OUT in field.metadata}


LEFT_OUT = "left out of JSON while it has no value"  # marks a field
Model = TypeVar("Model", bound=Record)


def read_yaml(path: str | Path) -> Any:
    """The content of a YAML file; InputError if it is missing or broken (with its line)."""
    try:
        return yaml_text.read(path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; every system has its claims.yaml and its published.yaml") from None


def parse_record(kind: type[Model], values: Any, where: str) -> Model:
    """A record from what a file holds; InputError naming an unknown, a missing or a wrong key."""
    fields = kind.model_fields.items()
    required = [name for name, field in fields if field.is_required()]
    require_keys(values, where, required, [name for name, field in fields if not field.is_required()])
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise InputError(f"{where}: {key}: {first['msg']}, found {shown(first['input'])}") from None


def require_keys(record: Any, where: str, required: Sequence[str], optional: Sequence[str] = ()) -> None:
    """InputError unless `record` is a mapping that has every required key and none but those and the optional ones."""
    if not isinstance(record, Mapping):
        raise InputError(f"{where}: expected a mapping with {', '.join(required)}, found {shown(record)}")
    for key in record:
        if key not in required and key not in optional:
            raise InputError(f"{where}: unknown key {shown(key)}{nearest(key, [*required, *optional])}")
    for key in required:
        if record.get(key) is None:
            raise InputError(f"{where}: {key} is missing")


def is_number(value: Any) -> bool:
    """Whether `value` is a real number; True and False are not."""
    return isinstance(value, Real) and not isinstance(value, bool)
