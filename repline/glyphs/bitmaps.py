"""Bitmaps of characters in memory and on disk, and which of them look the same."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, read_card, write_card
from repline.croissant import CARD
from repline.errors import InputError
from repline.files import new_folder
from repline.glyphs.recipes import Drawing
from repline.parameters import JsonObject

PIXELS, CHARACTERS = "pixels.npy", "characters.json"


@dataclass(frozen=True)
class Bitmaps:
    """Square bitmaps and the characters that they show.

    Attributes:
        characters: n different characters.
        pixels: [n, s, s], True where there is ink.
        missing: characters that the font lacks.
        drawing: how they were drawn; None if that is not known.
    """

    characters: list[str]
    pixels: NDArray[np.bool_]
    missing: list[str] = field(default_factory=list)
    drawing: Drawing | None = None

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each character."""
        return {character: row for row, character in enumerate(self.characters)}

    @property
    def size(self) -> int:
        """Edge of the squares, in pixels."""
        return self.pixels.shape[1]


def collisions(bitmaps: Bitmaps) -> list[list[str]]:
    """Groups of characters whose bitmaps are equal, pixel by pixel, and which no picture can tell apart."""
    packed = np.packbits(bitmaps.pixels.reshape(len(bitmaps.characters), -1), axis=1)
    groups: dict[bytes, list[str]] = {}
    for character, row in zip(bitmaps.characters, packed, strict=True):
        groups.setdefault(row.tobytes(), []).append(character)
    return [group for group in groups.values() if len(group) > 1]


def different_pixels(bitmaps: Bitmaps, rows: Sequence[int]) -> NDArray[np.int64]:
    """In how many pixels the bitmaps of some rows differ from all: [k, n]."""
    flat = bitmaps.pixels.reshape(len(bitmaps.characters), -1).astype(np.float32)
    compared = flat[np.asarray(rows)]
    both = compared @ flat.T
    return np.rint(compared.sum(1)[:, None] + flat.sum(1) - 2 * both).astype(np.int64)


def write(
    folder: str | Path,
    bitmaps: Bitmaps,
    *,
    font: str | Path,
    parameters: JsonObject,
    sources: Sequence[Any] = (),
) -> Card:
    """Write packed bitmaps, their characters and a card with the collisions; returns the card.

    Args:
        folder: replaced if it exists.
        font: what was drawn with; its card, or its file, becomes a source.
        parameters: how it was drawn.
        sources: cards of what the characters are from.
    """
    same = collisions(bitmaps)
    with new_folder(folder) as partial:
        flat = bitmaps.pixels.reshape(len(bitmaps.characters), -1)
        np.save(partial / PIXELS, np.packbits(flat, axis=1))
        record = {"characters": "".join(bitmaps.characters), "size": bitmaps.size, "missing": "".join(bitmaps.missing)}
        (partial / CHARACTERS).write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
        origin = card_or_files(Path(font).parent if (Path(font).parent / "card.json").exists() else font)
        notes = [f"{''.join(group)} have the same bitmap" for group in same]
        if bitmaps.missing:
            notes.append(f"the font lacks {''.join(bitmaps.missing)}")
        return write_card(
            partial,
            name=Path(folder).name,
            description=f"Characters of {origin['name']} as bitmaps of {bitmaps.size} x {bitmaps.size} pixels",
            licence=origin["licence"],
            sources=[{"corpus": card} for card in (origin, *sources)],
            parameters=parameters,
            counts={
                "characters": len(bitmaps.characters),
                "missing": len(bitmaps.missing),
                "look_alikes": sum(map(len, same)),
            },
            tools=["numpy", "pillow"],
            notes=notes,
        )


def read(folder: str | Path) -> Bitmaps:
    """Read the bitmaps that `write` wrote.

    Raises:
        InputError: there are none, or the files do not fit together.
    """
    folder = Path(folder)
    try:
        record = json.loads((folder / CHARACTERS).read_text(encoding="utf-8"))
        packed = np.load(folder / PIXELS, allow_pickle=False)
    except FileNotFoundError as error:
        raise InputError(f"{error.filename}: there is no such file; draw the characters first") from None
    characters, size = list(record["characters"]), record["size"]
    if packed.shape != (len(characters), -(-size * size // 8)):
        raise InputError(f"{folder}: {PIXELS} does not hold {len(characters)} bitmaps of {size} x {size} pixels")
    flat = np.unpackbits(packed, axis=1, count=size * size).astype(bool)
    return Bitmaps(characters, flat.reshape(-1, size, size), list(record["missing"]), _drawing(folder))


def _drawing(folder: Path) -> Drawing | None:
    """How the bitmaps of a folder were drawn, by its card."""
    if not (folder / CARD).exists():
        return None
    parameters = read_card(folder)["parameters"]
    return Drawing(**{name: parameters[name] for name in Drawing.model_fields if name in parameters})
