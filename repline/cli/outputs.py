"""Folders that commands write: an old result is replaced, files of another kind are not."""

from pathlib import Path

from repline.errors import InputError

WRITTEN = ("config.json", "card.json")  # one of these is in every folder that a command writes


def result_folder(out: Path) -> Path:
    """A folder to write a result to, as a callback of Typer.

    Raises:
        InputError: it holds other files, which the result would replace; or it is a file, or the working directory.
    """
    if out.resolve() in (here := Path.cwd(), *here.parents):
        raise InputError(f"{out}: the result takes the place of this folder, where you are; name a new one")
    if out.is_file():
        raise InputError(f"{out}: this is a file; name a folder, which the command makes")
    if out.is_dir() and any(out.iterdir()) and not any((out / name).exists() for name in WRITTEN):
        raise InputError(f"{out}: this folder has other files, which the result would replace; name a new one")
    return out
