"""The section of params.yaml that says how characters are drawn."""

from typing import Annotated

from pydantic import Field

from repline.parameters import Section


class Drawing(Section):
    """Settings of `repline.glyphs.font_rendering.draw`: its arguments other than the characters and the font.

    Attributes:
        face: which font of a collection. Faces for different regions draw the same code point differently.
        edge: of the square and size of the font, both in pixels.
        threshold: ink is what covers more than threshold / 255 of a pixel.
        draw_missing: characters that the font lacks get its sign for a missing glyph; else they are left out and
            listed.
    """

    face: Annotated[int, Field(ge=0)] = 0
    edge: Annotated[int, Field(ge=4)] = 22
    threshold: Annotated[int, Field(ge=0, le=254)] = 127
    draw_missing: bool = False
