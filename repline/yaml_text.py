"""YAML by libyaml, several times as fast as PyYAML's own parser, where PyYAML was built with it."""

import functools
import pickle
from typing import Any

import yaml

SafeLoader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse(text: str, loader: type[yaml.SafeLoader] = SafeLoader) -> Any:
    """The content of a text; yaml.YAMLError, with the line, where it is broken.

    Each call gives a copy of its own. A stage asks for the same two files several times: these are parsed once.
    """
    return pickle.loads(_parsed(text, loader))  # type: ignore[arg-type]  # PyYAML has no types, so the loader is Any


@functools.lru_cache(maxsize=4)
def _parsed(text: str, loader: type[yaml.SafeLoader]) -> bytes:
    return pickle.dumps(yaml.load(text, loader), pickle.HIGHEST_PROTOCOL)
