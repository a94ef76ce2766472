"""Folders and files that commands write: an old result is replaced, files of another kind are not."""

import os
from pathlib import Path

from repline.errors import InputError

WRITTEN = ("config.json", "card.json")  # one of these is in every folder that a command writes


def result_folder(out: Path) -> Path:
    """A folder to write a result to, as a callback of Typer.

    Raises:
        InputError: it holds other files, which the result would replace; it is a file, or the working directory; or
            nothing can be written where it lies.
    """
    if out.resolve() in (here := Path.cwd(), *here.parents):
        raise InputError(f"{out}: the result takes the place of this folder, where you are; name a new one")
    if out.is_file():
        raise InputError(f"{out}: this is a file; name a folder, which the command makes")
    if out.is_dir() and any(out.iterdir()) and not any((out / name).exists() for name in WRITTEN):
        raise InputError(f"{out}: this folder has other files, which the result would replace; name a new one")
    return _writable(out)


def result_file(out: Path) -> Path:
    """A file to write a result to, as a callback of Typer.

    Raises:
        InputError: it is a folder, or nothing can be written where it lies.
    """
    if out.is_dir():
        raise InputError(f"{out}: this is a folder; name a file, which the command writes")
    return _writable(out)


def _writable(out: Path) -> Path:
    """The path; InputError where the nearest folder above it that is there takes no files."""
    above = next(parent for parent in out.absolute().parents if parent.exists())
    if not above.is_dir():
        raise InputError(f"{out}: {above} is a file, in which nothing can be written; name another place")
    if not os.access(above, os.W_OK):
        raise InputError(f"{out}: you may not write in {above}; name another place")
    return out
