"""The pictures that a saved model keeps of its characters, and those of further characters, drawn on demand."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.errors import InputError, in_one_line, shown
from repline.glyphs.bitmaps import PIXELS, Bitmaps
from repline.glyphs.recipes import Drawing
from repline.parameters import JsonObject
from repline.sources.packaged_files import command_to_install
from repline.systems.visual_characters.encoders import CharacterEncoder
from repline.training.padded_rows import padded_rows
from repline.use.folders import RAW_INPUT, Description, describe

PACKAGE = "noto-cjk-sans-otc"  # with the font of the default profile
FONT = ("noto_cjk_sans_otc", "NotoSansCJK-Regular.ttc")  # its folder, and the file in it
MAINLAND = 2  # its face with the forms of mainland China


def describe_characters(folder: str | Path, kind: str, bitmaps: Bitmaps, values: JsonObject | None = None) -> None:
    """Write the pictures of all characters, and how they were drawn, next to the weights of a model.

    Args:
        folder: of the saved model.
        kind: glosses, tagger or translator.
        bitmaps: in the order of the model's characters.
        values: what the kind needs apart from these.
    """
    folder = Path(folder)
    np.save(folder / PIXELS, np.packbits(bitmaps.pixels.reshape(len(bitmaps.characters), -1), axis=1))
    drawing = bitmaps.drawing or Drawing(edge=bitmaps.size)
    pictures: JsonObject = {"characters": "".join(bitmaps.characters), "drawing": drawing.model_dump()}
    describe(folder, "visual_characters", kind, {**pictures, **(values or {})})


def read_characters(description: Description) -> Bitmaps:
    """The characters of a saved model with their pictures; InputError where they are not there or damaged."""
    path = description.folder / PIXELS
    characters, drawing = (description.raw_input.get(key) for key in ("characters", "drawing"))
    if not isinstance(characters, str) or not isinstance(drawing, dict):
        raise InputError(f"{description.folder / RAW_INPUT}: expected characters and drawing; train the model again")
    try:
        packed = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"{path}: the pictures cannot be read ({in_one_line(error)}); copy the folder again") from None
    drawn_as = Drawing(**drawing)
    pixels = drawn_as.edge**2
    if packed.shape != (len(characters), -(-pixels // 8)):
        raise InputError(f"{path}: expected pictures of {len(characters)} characters; copy the folder again")
    flat = np.unpackbits(packed, axis=1, count=pixels).astype(bool)
    return Bitmaps(list(characters), flat.reshape(-1, drawn_as.edge, drawn_as.edge), drawing=drawn_as)


def installed_font() -> Path | None:
    """The font of the default profile, where its package is installed."""
    package, file = FONT
    spec = find_spec(package)
    path = Path(spec.origin).parent / file if spec is not None and spec.origin else None
    return path if path is not None and path.is_file() else None


def default_font() -> Path:
    """The font of the default profile; InputError that names the extra where its package is not installed."""
    if (font := installed_font()) is None:
        raise InputError(f"no font is installed: `{command_to_install(PACKAGE)}` brings one, or name a font file")
    return font


def font_file(font: str | Path | None) -> Path | None:
    """The path of a font, that of the installed one for None; InputError where it is no path."""
    if not isinstance(font, str | Path | None):
        raise InputError(f"expected the path of a font file as font, found {shown(font)}")
    return installed_font() if font is None else Path(font)


@dataclass
class CharacterNumbers:
    """Characters as numbers of an encoder, from 1; characters that it has not are drawn and appended.

    The number of a character depends on the font, and not on the texts or fonts of earlier calls.

    Attributes:
        encoder: knows the pictures of the bitmaps.
        bitmaps: of the characters that the model was saved with.
        saved: numbers of these; of a table only those that it has a vector of, not those that training had once.
        drawn: numbers of the characters that were appended so far, by character and font.
        blank: the number of every character that is neither saved nor drawn, a blank picture; of a table its unknown
            vector.
    """

    encoder: CharacterEncoder
    bitmaps: Bitmaps
    saved: dict[str, int] = field(init=False)
    drawn: dict[tuple[str, Path | None], int] = field(init=False, default_factory=dict)
    blank: int = field(init=False)

    def __post_init__(self) -> None:
        pixels = torch.from_numpy(self.bitmaps.pixels)
        self.encoder.show(pixels)
        numbers = {character: row + 1 for character, row in self.bitmaps.rows.items()}
        if not self.encoder.reads_pixels:
            numbers = {character: number for character, number in numbers.items() if self.encoder.known[number]}
        self.saved, self.blank = numbers, len(self.encoder.known)
        self.encoder.append(pixels.new_zeros(1, *pixels.shape[1:]))

    def known(self, texts: Iterable[str], font: str | Path | None = None) -> dict[str, int]:
        """The number of each character of texts that can be looked up or drawn; all others are unknown.

        Args:
            font: that further characters are drawn with; None for the installed one, if any.

        Raises:
            InputError: there is no such font.
        """
        characters = {character for text in texts for character in text}
        numbers = {character: self.saved[character] for character in characters & self.saved.keys()}
        further = sorted(characters - self.bitmaps.rows.keys()) if self.encoder.reads_pixels else []
        if not further:
            return numbers
        path = font_file(font)
        new = [character for character in further if (character, path) not in self.drawn]
        pictures = self.draw(new, font) if new else {}
        if pictures:
            first = len(self.encoder.known)
            self.encoder.append(torch.from_numpy(np.stack(list(pictures.values()))))
            self.drawn |= {(character, path): first + row for row, character in enumerate(pictures)}
        return numbers | {
            character: self.drawn[character, path] for character in further if (character, path) in self.drawn
        }

    def ids(self, texts: Sequence[str], numbers: Mapping[str, int]) -> Tensor:
        """Numbers of the characters of texts [N, longest], `blank` for unknown ones, 0 behind the end.

        Args:
            numbers: of the characters of the texts that are known, see `known`.
        """
        rows = [[numbers.get(character, self.blank) for character in text] for text in texts]
        return torch.from_numpy(padded_rows(rows, 0))

    def draw(self, characters: Sequence[str], font: str | Path | None = None) -> dict[str, NDArray[np.bool_]]:
        """The pictures of those characters that a font has, drawn as those of training.

        Args:
            font: None for the installed one; without any, no character is drawn.

        Raises:
            InputError: there is no such font.
        """
        path = font_file(font)
        if path is None:
            return {}
        if not path.is_file():
            raise InputError(f"{path}: there is no such font file")
        face = (self.bitmaps.drawing or Drawing()).face if path == installed_font() else 0
        drawing = (self.bitmaps.drawing or Drawing()).model_copy(update={"draw_missing": False, "face": face})
        from repline.glyphs.font_rendering import draw  # Pillow, an extra that models without new characters do without

        visible = [character for character in characters if unicodedata.category(character)[0] not in "ZC"]
        if not visible:
            return {}
        try:
            drawn = draw(visible, path, drawing)
        except InputError as error:
            if "it has none of the" in str(error):
                return {}
            raise
        return dict(zip(drawn.characters, drawn.pixels, strict=True))
