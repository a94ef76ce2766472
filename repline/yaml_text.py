"""YAML by libyaml, several times as fast as PyYAML's own parser, where PyYAML was built with it."""

from typing import Any

import yaml

SafeLoader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse(text: str) -> Any:
    """The content of a text; yaml.YAMLError, with the line, where it is broken."""
    return yaml.load(text, SafeLoader)
