"""Parameters of the project, and of a workspace that a test makes; by libyaml, which is many times as fast."""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from repline.parameters import merge
from repline.parameters import read as read_file

ROOT = Path(__file__).parents[2]
Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_read_once = cache(read_file)


def shared() -> dict[str, Any]:
    """The values of the project's params.yaml, to be changed at will."""
    return deepcopy(_read_once(ROOT / "params.yaml"))


def profile(name: str) -> dict[str, Any]:
    """The values of the project in a profile, to be changed at will."""
    return merge(shared(), deepcopy(_read_once(ROOT / "profiles" / f"{name}.yaml")), name) | {"profile": name}


def read(workspace: Path) -> dict[str, Any]:
    """The values of a workspace's params.yaml."""
    return read_file(workspace / "params.yaml")


def write(workspace: Path, values: dict[str, Any], *sections: str) -> None:
    """Write a params.yaml, its sections and knobs in their order: of some sections and the profile, or of all.

    A stage reads the file more than once, and the whole of the project's lasts.
    """
    if sections:
        values = {name: values[name] for name in ("profile", *sections)}
    text = yaml.dump(values, Dumper=Dumper, allow_unicode=True, sort_keys=False)
    (workspace / "params.yaml").write_text(text, encoding="utf-8")


def change(workspace: Path, address: str, **changes: object) -> None:
    """Set values in the section `address` of a workspace's params.yaml, its names joined by dots."""
    values = read(workspace)
    section = values
    for name in address.split("."):
        section = section[name]
    section |= changes
    write(workspace, values)
