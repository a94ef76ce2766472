"""Digests of this package's own code while it runs: what an earlier run kept is used only by the same code."""

from functools import cache
from pathlib import Path

from repline.code_digests.reach import Code

LIBRARY = "repline"


@cache
def own_code() -> Code:
    """The code of this package as its files have it now."""
    return Code(Path(__file__).parents[2], [LIBRARY])


@cache
def own_digest(address: str) -> str:
    """16 hex digits of all that a module ("repline.layers.sru") or a definition ("repline.layers.sru:SRU") can reach.

    Comments and docstrings do not count, nor versions of libraries.

    Raises:
        KeyError: there is no such module or definition.
    """
    return own_code().digest(address)
