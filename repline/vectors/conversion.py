"""Vectors of any format as a folder of the store, with a card that says which files they came from."""

import hashlib
from pathlib import Path

from repline.cards import Card, Source, read_card, source_of_file
from repline.reading.wrong_records import LeftOut, OnError
from repline.vectors.formats.readers import detect, find, read
from repline.vectors.formats.rows import Duplicates
from repline.vectors.store import load_vocabulary, save


def convert(
    path: str | Path,
    folder: str | Path,
    *,
    duplicates: Duplicates = "stop",
    limit: int | None = None,
    on_error: OnError | LeftOut = "stop",
) -> Card:
    """Read vectors of any format and write them into a folder of the store.

    Args:
        path: of a file or folder as `repline.vectors.formats.readers.read` takes it; the title and licence are those of
            a card next to it, as a folder of data/raw has one.
        folder: replaces what was there.
        duplicates, limit, on_error: see `repline.vectors.formats.readers.read`.

    Returns:
        The card; it names the files read with sha256 and size, and counts what was left out.

    Raises:
        InputError: see `repline.vectors.formats.readers.read`.
    """
    path = Path(path)
    left_out = LeftOut.of(on_error)
    words, matrix = read(path, duplicates=duplicates, limit=limit, on_error=left_out)
    source = find(path)
    counts = None
    if detect(source) == "store":
        column = load_vocabulary(source).column("count").slice(0, len(words))
        counts = None if column.null_count else column.to_numpy()
    card = _card_of(path)
    return save(
        folder,
        words,
        matrix,
        counts=counts,
        description=card.get("title") or card.get("description") or f"Vectors of {path.name}",
        licence=card.get("licence") or "not stated",
        sources=_files(source, card),
        parameters={"duplicates": duplicates, "limit": limit}
        | ({} if left_out.on_error == "stop" else {"on_error": left_out.on_error}),
        notes=[*card.get("notes", ()), *left_out.notes()],
    )


def _card_of(path: Path) -> Card:
    folder = path if path.is_dir() else path.parent
    return read_card(folder) if (folder / "card.json").is_file() else {}


def _files(source: Path, card: Card) -> list[Source]:
    if "counts" in card:
        return [{"vectors": card}]
    if "files" in card:  # without their paths, which differ from machine to machine
        return [source_of_file(file) for file in card["files"]]
    files: list[Source] = []
    for path in [source] if source.is_file() else sorted(item for item in source.rglob("*") if item.is_file()):
        with open(path, "rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        name = path.name if source.is_file() else path.relative_to(source).as_posix()
        files.append({"name": name, "sha256": sha256, "bytes": path.stat().st_size})
    return files
