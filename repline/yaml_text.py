"""YAML by libyaml, several times as fast as PyYAML's own parser, where PyYAML was built with it."""

import functools
import pickle
import re
from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import yaml

from repline.errors import InputError, in_one_line, shown

if TYPE_CHECKING:
    from yaml import SafeLoader as Fastest
else:
    Fastest = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

BOOLEAN, INTEGER, NUMBER = (f"tag:yaml.org,2002:{kind}" for kind in ("bool", "int", "float"))
PLAIN = {  # tag -> what is written so without quotes, by YAML 1.2 as DVC reads it
    BOOLEAN: r"true|True|TRUE|false|False|FALSE",
    INTEGER: r"[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)",
    NUMBER: r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*|[0-9][0-9_]*(?=[eE]))(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
}


class SafeLoader(Fastest):
    """The fastest safe loader that is there, which refuses a key that a mapping has twice.

    Plain words are what they are for DVC, which reads YAML 1.2 where PyYAML reads 1.1: `1e-3` is a number, `020` is 20,
    and `no` and `1:20` are texts. A stage and the DVC that runs it have to see the same value in params.yaml.
    """

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag not in PLAIN]
        for first, resolvers in Fastest.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """The mapping of a node; YAMLError, with the line, where a key is there twice."""
        keys = [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        first = {key.value: key for key in reversed(keys)}
        for key in keys:
            if key is not first[key.value]:
                problem = f"the key {shown(key.value)} is there twice"
                raise yaml.constructor.ConstructorError(problem=problem, problem_mark=key.start_mark)
        return super().construct_mapping(node, deep)


def _integer(loader: SafeLoader, node: yaml.ScalarNode) -> int:
    text = loader.construct_scalar(node).replace("_", "")
    return int(text, 0 if text.lstrip("-+")[:2] in ("0b", "0o", "0x") else 10)


for _tag, _pattern in PLAIN.items():
    SafeLoader.add_implicit_resolver(_tag, re.compile(f"^(?:{_pattern})$"), list("-+.0123456789tTfF"))
SafeLoader.add_constructor(INTEGER, _integer)


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
