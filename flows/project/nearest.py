"""The end of a message about an unknown name: the nearest known one."""

import difflib
from collections.abc import Iterable


def nearest(name: str, valid: Iterable[str]) -> str:
    """The nearest of the valid names, else all of them, else nothing, as in "; did you mean 'train'?"."""
    names = sorted(str(item) for item in valid)
    if close := difflib.get_close_matches(name, names, n=1, cutoff=0.5):
        return f"; did you mean {close[0]!r}?"
    return f"; valid are {', '.join(names)}" if names else ""
