"""Folders and files that commands write: an old result is replaced, files of another kind are not."""

import json
from pathlib import Path
from typing import Any

from repline.errors import InputError, shown
from repline.files import in_writable_folder, output_file
from repline.use import folders

CARD = "card.json"  # of `repline.cards`, whose libraries take a while to load
UNLISTED = (".json", "README.md")  # records of a training and the card of a model, next to files that are listed


def result_folder(out: Path) -> Path:
    """A folder to write a result to, as a callback of Typer.

    Raises:
        InputError: it holds other files, which the result would replace; it is a file, or the working directory; it is
            -, or nothing can be written where it lies.
    """
    _refuse_standard_output(out)
    if out.resolve() in (here := Path.cwd(), *here.parents):
        raise InputError(f"{out}: the result takes the place of this folder, where you are; name a new one")
    if out.is_file():
        raise InputError(f"{out}: this is a file; name a folder, which the command makes")
    if out.is_dir() and (other := _other_files(out)):
        raise InputError(
            f"{out}: this folder has other files, such as {shown(other[0])}, which the result would replace; "
            "name a new one"
        )
    return in_writable_folder(out)


def result_file(out: Path) -> Path:
    """A file to write a result to, as a callback of Typer.

    Raises:
        InputError: it is -, or as of `repline.files.output_file`.
    """
    _refuse_standard_output(out)
    return output_file(out)


def _refuse_standard_output(out: Path) -> None:
    """Raise InputError for -, which is the standard input where a command reads."""
    if str(out) == "-":
        raise InputError("-: the result is not written to the standard output; name a file or a folder")


def _other_files(folder: Path) -> list[str]:
    """The files that no command wrote: neither the config.json of a model nor a card lists them."""
    described = _json(folder / folders.CONFIG).get(folders.KEY)
    sizes = described.get("bytes") if isinstance(described, dict) else None
    distribution = _json(folder / CARD).get("distribution")
    listed = set(sizes if isinstance(sizes, dict) else [])
    for entry in distribution if isinstance(distribution, list) else []:
        if isinstance(entry, dict) and "contentUrl" in entry:
            listed.add(entry["contentUrl"])
    names = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if not path.is_dir()]
    return [name for name in names if name not in listed and not (listed and name.endswith(UNLISTED))]


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
