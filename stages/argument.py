"""The one argument of a stage that is run for each of several names."""

import sys
from collections.abc import Iterable

from repline.errors import InputError


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
