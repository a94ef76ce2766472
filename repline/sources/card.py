"""The card of a folder of data/raw: its files and their versions."""

import json
from pathlib import Path
from typing import Any

from repline.errors import InputError

CARD = "card.json"


def read_source_card(folder: str | Path) -> dict[str, Any]:
    """Read the card of a raw folder; InputError if there is none (the source is then not here)."""
    path = Path(folder) / CARD
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        name = Path(folder).name
        raise InputError(f"{path}: no card, so the source is not here; run `dvc repro acquire@{name}`") from None
    except ValueError as error:
        raise InputError(f"{path}: this is not valid JSON ({error}); acquire the source again") from None


def raw_files(folder: str | Path) -> list[Path]:
    """The data files of a raw folder in the order of its card, without the card; InputError if one is missing."""
    paths = [Path(folder) / file["name"] for file in read_source_card(folder)["files"]]
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path}: the card names this file but it is not there; acquire the source again")
    return paths


def locked(folder: str | Path) -> dict[str, dict[str, Any]]:
    """The version of each moving file in a raw folder, by file name, like the public ones of `freshness.upstream`.

    Returns:
        `{name: {"etag", "last_modified", "bytes", "dump_date"}}`; files that came from no web server are left out.
    """
    return {file["name"]: file["upstream"] for file in read_source_card(folder)["files"] if "upstream" in file}
