"""The arguments of a stage that is run for each of several names."""

import sys
from collections.abc import Iterable, Mapping
from typing import TypeVar

from repline.errors import InputError, shown
from repline.parameters import nearest

Name = TypeVar("Name", bound=str)


def argument(what: str, names: Iterable[Name]) -> Name:
    """The name that the stage was called with.

    Args:
        what: what the name stands for, in the message: "the name of a corpus".
        names: the names that it may be.

    Raises:
        InputError: there is no argument, several, or another name; the message lists all names.
    """
    allowed = list(names)
    for name in allowed:
        if sys.argv[1:] == [name]:
            return name
    raise InputError(f"expected {what}, one of: {', '.join(allowed) or 'none is named'}")


def arguments(names: Mapping[str, Iterable[str]]) -> list[str]:
    """The names that the stage was called with, one of each kind, in the order of the kinds.

    Args:
        names: kind, as the message calls it ("a corpus") -> the allowed names.

    Raises:
        InputError: there are more or fewer, or one is unknown; the message has the nearest name, or all of them.
    """
    values = sys.argv[1:]
    if len(values) != len(names):
        raise InputError(f"expected the names of {' and '.join(names)}, found {' '.join(values) or 'nothing'}")
    for (what, allowed), name in zip(names.items(), values, strict=True):
        if name not in (allowed := list(allowed)):
            raise InputError(f"expected the name of {what}, found {shown(name)}{nearest(name, allowed)}")
    return values
