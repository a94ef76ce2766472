"""Characters of a font as square black and white bitmaps, drawn by Pillow."""

import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from pydantic import Field

from repline.errors import InputError
from repline.glyphs.bitmaps import Bitmaps

NOT_A_CHARACTER = "\uffff"  # no font has it, so it is drawn as the glyph for what is missing
LARGE = 64  # pixels, at which the glyph for what is missing is told from all others


def draw(
    characters: Iterable[str],
    font: str | Path,
    *,
    face: Annotated[int, Field(ge=0)] = 0,
    size: Annotated[int, Field(ge=4)] = 22,
    threshold: Annotated[int, Field(ge=0, le=254)] = 127,
    draw_missing: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Bitmaps:
    """Draw each character in the middle of a square, and call a pixel ink where it is darker than the threshold.

    Args:
        characters: single code points; each is drawn once, in the order of first occurrence.
        font: a TrueType or OpenType file, or a collection of them (`.ttc`).
        face: which font of a collection. Faces for different regions draw the same code point differently.
        size: edge of the square and size of the font, both in pixels.
        threshold: ink is what covers more than threshold / 255 of a pixel.
        draw_missing: characters that the font lacks get its sign for a missing glyph; else they are left out and
            listed.
        progress: called with the number of characters so far.

    Returns:
        The bitmaps, with the characters that the font lacks.

    Raises:
        InputError: no such font or face, more than one code point, or not a single character that the font has.

    Source: Broscheit, Gemulla & Keuper 2018, section 4.1 (22 x 22, Noto Sans CJK; they draw by ImageMagick).
    """
    wanted = list(dict.fromkeys(characters))
    if wrong := [one for one in wanted if len(one) != 1]:
        raise InputError(f"expected single characters, found {wrong[0]!r}")
    shown, large = _font(font, face, size), _font(font, face, LARGE)
    absent = _ink(large, NOT_A_CHARACTER, LARGE)
    kept, pixels, missing = [], [], []
    for number, character in enumerate(wanted, 1):
        lacks = not _is_blank(character) and np.array_equal(_ink(large, character, LARGE), absent)
        if lacks:
            missing.append(character)
        if not lacks or draw_missing:
            kept.append(character)
            pixels.append(_ink(shown, character, size) > threshold)
        if progress:
            progress(number)
    if not len(kept) > len(missing) * draw_missing:
        raise InputError(f"{font}: it has none of the {len(wanted)} characters; choose another font or face")
    return Bitmaps(kept, np.array(pixels), missing)


def _font(path: str | Path, face: int, size: int) -> ImageFont.FreeTypeFont:
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such font file")
    try:
        return ImageFont.truetype(str(path), size, index=face, layout_engine=ImageFont.Layout.BASIC)
    except OSError as error:
        raise InputError(f"{path}: it is no font that FreeType reads, or has no face {face} ({error})") from None


def _ink(font: ImageFont.FreeTypeFont, character: str, size: int) -> NDArray[np.uint8]:
    """How much of each pixel is covered, in 255ths [size, size]; the middle of the em box lies in the middle."""
    image = Image.new("L", (size, size), 0)
    ImageDraw.Draw(image).text((size / 2, size / 2), character, fill=255, font=font, anchor="mm")
    return np.asarray(image)


def _is_blank(character: str) -> bool:
    """A blank or a sign of control has nothing to draw, in any font."""
    return unicodedata.category(character)[0] in "ZC"
