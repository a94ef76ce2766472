"""Parameter files: read, laid over each other, and written, as the project does it or as any YAML.

DVC reads YAML 1.2, where `1e-3` is a number, `020` is 20, and `yes` and `12:30` are texts; PyYAML reads 1.1.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import yaml
from ruamel.yaml import YAML, YAMLError

from flows.errors import InputError
from flows.project import hooks
from flows.project.nearest import nearest

Values = Mapping[str, Any]  # of a YAML file, as they are written


def read(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file; InputError where there is none."""
    if reader := hooks.find("read_parameters"):
        return reader(path)
    try:
        values = YAML(typ="safe").load(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such parameter file") from None
    except (YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line, problem = f", line {mark.line + 1}" if mark else "", str(getattr(error, "problem", error))
        raise InputError(f"{path}{line}: this is not valid YAML ({' '.join(problem.split())})") from None
    if not isinstance(values, dict):
        raise InputError(f"{path}: expected a mapping of parameters, found {type(values).__name__}")
    return values


class _Dumper(yaml.SafeDumper):
    """Quotes texts that are numbers for YAML 1.2, too."""

    yaml_implicit_resolvers: ClassVar = {
        first: [*kinds] for first, kinds in yaml.SafeDumper.yaml_implicit_resolvers.items()
    }


NUMBER = re.compile(
    r"^[-+]?(?:0o?[0-7_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?)$"
)
_Dumper.add_implicit_resolver("tag:yaml.org,2002:float", NUMBER, list("-+0123456789."))


def text_of(values: Values) -> str:
    """A YAML file in which YAML 1.2 and 1.1 read the same values; ruamel's own dumper takes ten times as long."""
    return yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True)


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
