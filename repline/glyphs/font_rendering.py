"""Characters of a font as square black and white bitmaps, drawn by Pillow."""

import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from repline.errors import InputError, in_one_line, shown
from repline.glyphs.bitmaps import Bitmaps
from repline.glyphs.recipes import Drawing

NOT_A_CHARACTER = "\uffff"  # no font has it, so it is drawn as the glyph for what is missing
LARGE = 64  # pixels, at which the glyph for what is missing is told from all others
PLAIN = Drawing()


def draw(
    characters: Iterable[str],
    font: str | Path,
    drawing: Drawing = PLAIN,
    *,
    progress: Callable[[int], None] | None = None,
) -> Bitmaps:
    """Draw each character in the middle of a square, and call a pixel ink where it is darker than the threshold.

    Args:
        characters: single code points; each is drawn once, in the order of first occurrence.
        font: a TrueType or OpenType file, or a collection of them (`.ttc`).
        drawing: which font of a collection, how large, and what is ink.
        progress: called with the number of characters so far.

    Returns:
        The bitmaps, with the characters that the font lacks.

    Raises:
        InputError: no such font or face, more than one code point, or not a single character that the font has.

    Source: Broscheit, Gemulla & Keuper 2018, section 4.1 (22 x 22, Noto Sans CJK; they draw by ImageMagick).
    """
    distinct = list(dict.fromkeys(characters))
    if wrong := [text for text in distinct if len(text) != 1]:
        raise InputError(f"expected single characters, found {shown(wrong[0])}")
    font_at_size, large_font = _font(font, drawing.face, drawing.edge), _font(font, drawing.face, LARGE)
    absent = _ink(large_font, NOT_A_CHARACTER, LARGE)
    drawn, pixels, missing = [], [], []
    for number, character in enumerate(distinct, 1):
        lacks = not _is_blank(character) and np.array_equal(_ink(large_font, character, LARGE), absent)
        if lacks:
            missing.append(character)
        if not lacks or drawing.draw_missing:
            drawn.append(character)
            pixels.append(_ink(font_at_size, character, drawing.edge) > drawing.threshold)
        if progress:
            progress(number)
    if not len(drawn) > len(missing) * drawing.draw_missing:
        raise InputError(f"{font}: it has none of the {len(distinct)} characters; choose another font or face")
    return Bitmaps(drawn, np.array(pixels), missing, drawing)


def _font(path: str | Path, face: int, size: int) -> ImageFont.FreeTypeFont:
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such font file")
    try:
        return ImageFont.truetype(str(path), size, index=face, layout_engine=ImageFont.Layout.BASIC)
    except OSError as error:
        raise InputError(
            f"{path}: it is no font that FreeType reads, or has no face {face} ({in_one_line(error)})"
        ) from None


def _ink(font: ImageFont.FreeTypeFont, character: str, size: int) -> NDArray[np.uint8]:
    """How much of each pixel is covered, in 255ths [size, size]; the middle of the em box lies in the middle."""
    image = Image.new("L", (size, size), 0)
    ImageDraw.Draw(image).text((size / 2, size / 2), character, fill=255, font=font, anchor="mm")
    return np.asarray(image)


def _is_blank(character: str) -> bool:
    """Whether a character is a blank or a control character, which no font draws."""
    return unicodedata.category(character)[0] in "ZC"
