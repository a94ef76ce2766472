"""Hand-written YAML records (`claims.yaml`, `published.yaml`): read them, and say what is wrong with one."""

from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import yaml

from repline import yaml_text
from repline.errors import InputError
from repline.parameters import nearest


def read_yaml(path: str | Path) -> Any:
    """The content of a YAML file; InputError if it is missing or broken (with its line)."""
    try:
        return yaml_text.parse(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; every system has its claims.yaml and its published.yaml") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8 text, found a wrong byte at position {error.start}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise InputError(f"{path}{where}: this is not valid YAML ({getattr(error, 'problem', error)})") from None


def require_keys(record: Any, at: str, required: Sequence[str], optional: Sequence[str] = ()) -> None:
    """InputError unless `record` is a mapping that has every required key and none but those and the optional ones."""
    if not isinstance(record, Mapping):
        raise InputError(f"{at}: expected a mapping with {', '.join(required)}, found {record!r}")
    for key in record:
        if key not in required and key not in optional:
            raise InputError(f"{at}: unknown key {key!r}{nearest(key, [*required, *optional])}")
    for key in required:
        if record.get(key) is None:
            raise InputError(f"{at}: {key} is missing")


def is_number(value: Any) -> bool:
    """Whether `value` is a real number; True and False are not."""
    return isinstance(value, Real) and not isinstance(value, bool)
