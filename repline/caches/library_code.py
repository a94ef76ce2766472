"""Digests of the library's code while it runs: what an earlier run kept is used only by the same code."""

from functools import cache
from pathlib import Path

from repline.code_digests.reach import Code

LIBRARY = "repline"


@cache
def library_code() -> Code:
    """The code of the library as its files have it now."""
    return Code(Path(__file__).parents[2], [LIBRARY])


@cache
def library_digest(address: str) -> str:
    """16 hex digits of all that a module ("repline.layers.sru") or a definition ("repline.layers.sru:SRU") can reach.

    Comments and docstrings do not count, nor versions of libraries.

    Raises:
        KeyError: there is no such module or definition.
    """
    return library_code().digest(address)
