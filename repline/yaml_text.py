"""YAML by libyaml, several times as fast as PyYAML's own parser, where PyYAML was built with it."""

import functools
import pickle
from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from repline.errors import InputError, in_one_line, shown

if TYPE_CHECKING:
    from yaml import SafeLoader as Fastest
else:
    Fastest = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class SafeLoader(Fastest):
    """The fastest safe loader that is there, which refuses a key that a mapping has twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """The mapping of a node; YAMLError, with the line, where a key is there twice."""
        keys = [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        first = {key.value: key for key in reversed(keys)}
        for key in keys:
            if key is not first[key.value]:
                problem = f"the key {shown(key.value)} is there twice"
                raise yaml.constructor.ConstructorError(problem=problem, problem_mark=key.start_mark)
        return super().construct_mapping(node, deep)


def read(path: str | Path, loader: type[yaml.SafeLoader] = SafeLoader) -> Any:
    """The content of a YAML file, see `parse`.

    Raises:
        FileNotFoundError: there is no such file.
        InputError: it is not UTF-8, or no YAML; with the line.
    """
    content = Path(path).read_bytes()
    try:
        return parse(content.decode("utf-8-sig"), loader)
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        byte = f"found the byte 0x{content[error.start]:02x}"
        raise InputError(f"{path}, line {number}: expected UTF-8 text, {byte}; save the file as UTF-8") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or in_one_line(error)
        raise InputError(f"{path}{where}: this is not valid YAML ({problem})") from None


def parse(text: str, loader: type[yaml.SafeLoader] = SafeLoader) -> Any:
    """The content of a text; yaml.YAMLError, with the line, where it is broken.

    Each call gives a copy of its own. A stage asks for the same two files several times: these are parsed once.
    """
    return pickle.loads(_parsed(text, loader))  # type: ignore[arg-type]  # PyYAML has no types, so the loader is Any


@functools.lru_cache(maxsize=4)
def _parsed(text: str, loader: type[yaml.SafeLoader]) -> bytes:
    return pickle.dumps(yaml.load(text, loader), pickle.HIGHEST_PROTOCOL)
