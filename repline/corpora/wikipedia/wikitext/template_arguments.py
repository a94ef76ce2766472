"""The arguments of a template."""

from collections.abc import Mapping

Arguments = Mapping[str, str]  # texts by name, or by number from "1"

_LONGEST_LIST = 100  # arguments that are looked at


def numbered(arguments: Arguments) -> list[str]:
    """The arguments by number, in order, up to the first that is missing."""
    values: list[str] = []
    while len(values) < _LONGEST_LIST and (value := arguments.get(str(len(values) + 1))) is not None:
        values.append(value)
    return values
