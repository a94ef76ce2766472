"""The card of a folder of data/raw, or of files of a user's own: its files and their versions."""

import hashlib
import json
from pathlib import Path

from repline.cards import Card, CardFile, of_document
from repline.errors import InputError, in_one_line, shown
from repline.sources.web_server import Version

CARD = "card.json"


def read_source_card(folder: str | Path) -> Card:
    """Read the card of a raw folder, with the name and sha256 of each file under "files".

    A folder of a user's own may lack a card, or have one that does not list its files, as this project writes them next
    to a corpus: the files are then those that lie there, and the licence is "not stated" where the card names none.

    A single file is described in the same way.

    Raises:
        InputError: there is neither a card nor a file (the source is then not here), or the card is no JSON.
    """
    folder = Path(folder)
    path = folder / CARD
    try:
        card = of_document(json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        card = {}
        if not _files(folder):
            if folder.parent.name != "raw":
                raise InputError(f"{folder}: there is no file, and no folder with files") from None
            raise InputError(
                f"{path}: no card, so the source is not here; run `dvc repro acquire@{folder.name}`"
            ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is not valid JSON ({in_one_line(error)}); acquire the source again") from None
    if "files" in card:
        return card
    described: list[CardFile] = [
        {"name": file.name, "sha256": _sha256(file), "bytes": file.stat().st_size} for file in _files(folder)
    ]
    return {"name": folder.name, "licence": "not stated", **card, "files": described}


def _files(path: Path) -> list[Path]:
    """A file itself, or the files of a folder without its card, by name."""
    files = [path] if path.is_file() else sorted(path.glob("*"))
    return [file for file in files if file.is_file() and file.name != CARD]


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def raw_files(folder: str | Path) -> list[Path]:
    """The data files of a raw folder in the order of its card, without the card; InputError if one is missing.

    Of a user's own folder without a list of files all of them by name; a single file is itself.
    """
    if Path(folder).is_file():
        return [Path(folder)]
    named = [file["name"] for file in read_source_card(folder)["files"]]
    if outside := [name for name in named if Path(name).is_absolute() or ".." in Path(name).parts]:
        where = Path(folder) / CARD
        raise InputError(f"{where}: {shown(outside[0])} is not in this folder; acquire the source again")
    paths = [Path(folder) / name for name in named]
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path}: the card names this file but it is not there; acquire the source again")
    return paths


def locked(folder: str | Path) -> dict[str, Version]:
    """The version of each moving file in a raw folder, by file name, like the public ones of `freshness.upstream`.

    Returns:
        `{name: {"etag", "last_modified", "bytes", "dump_date"}}`; files that came from no web server are left out.
    """
    return {file["name"]: file["upstream"] for file in read_source_card(folder)["files"] if "upstream" in file}
