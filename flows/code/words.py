"""Lists and counts in the sentences that a command prints."""

from collections.abc import Iterable, Sized

MAX_NAMES = 3  # that are written out


def listed(names: Iterable[str]) -> str:
    """A few names and how many more there are; stages of a foreach or matrix count as one."""
    unique = list(dict.fromkeys(name.partition("@")[0] for name in names))
    rest = len(unique) - MAX_NAMES
    return ", ".join(unique[:MAX_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def count(items: Sized, word: str) -> str:
    """How many there are: "1 stage", "2 stages"."""
    return f"{len(items)} {word}{'' if len(items) == 1 else 's'}"
