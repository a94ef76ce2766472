"""The arguments of a stage that is run for each of several names."""

import sys
from collections.abc import Iterable, Mapping

from repline.errors import InputError
from repline.parameters import nearest


def argument(what: str, names: Iterable[str]) -> str:
    """The name that the stage was given.

    Args:
        what: it is, for the message: "the name of a corpus".
        names: that it may be.

    Raises:
        InputError: it was given none, several, or another; all names are listed.
    """
    known = list(names)
    if len(sys.argv) != 2 or sys.argv[1] not in known:
        raise InputError(f"expected {what}, one of: {', '.join(known) or 'none is named'}")
    return sys.argv[1]


def arguments(names: Mapping[str, Iterable[str]]) -> list[str]:
    """The names that the stage was given, one of each kind, in the order of the kinds.

    Args:
        names: by what they are, for the message ("a corpus"), the names that they may be.

    Raises:
        InputError: there are more or fewer, or one is unknown; the nearest known name is told, or all of them.
    """
    given = sys.argv[1:]
    if len(given) != len(names):
        raise InputError(f"expected the names of {' and '.join(names)}, found {' '.join(given) or 'nothing'}")
    for (what, known), name in zip(names.items(), given, strict=True):
        if name not in (known := list(known)):
            raise InputError(f"expected the name of {what}, found {name!r}{nearest(name, known)}")
    return given
