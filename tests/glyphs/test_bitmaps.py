"""Characters drawn with the font that is installed, kept, read again and compared."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from repline.cards import read_card
from repline.errors import InputError
from repline.glyphs import bitmaps
from repline.glyphs.font_rendering import draw
from repline.glyphs.recipes import Drawing

FONT = Path(find_spec("noto_cjk_sans_otc").origin).parent / "NotoSansCJK-Regular.ttc"
LACKING = "\U00020bb6"  # not in the face for Simplified Chinese


@pytest.fixture(scope="module")
def chinese():
    characters = bytes(code for high in range(0xB0, 0xC8) for low in range(0xA1, 0xFF) for code in (high, low))
    return characters.decode("gb2312", errors="ignore")


def test_no_two_characters_look_the_same_at_22_pixels(chinese):
    drawn = draw(chinese + "果杲十一士土", FONT, Drawing(face=2))
    assert drawn.pixels.shape == (len(drawn.characters), 22, 22) and drawn.size == 22
    assert not drawn.missing and not bitmaps.collisions(drawn)
    assert 0.27 < drawn.pixels.mean() < 0.32


def test_at_12_pixels_some_do():
    assert draw("果杲人十一", FONT, Drawing(face=2, edge=12)).characters == list("果杲人十一")
    assert bitmaps.collisions(draw("果杲人十一", FONT, Drawing(face=2, edge=12))) == [["果", "杲"], ["十", "一"]]


def test_faces_draw_the_same_character_differently():
    assert not np.array_equal(draw("骨", FONT, Drawing(face=2)).pixels, draw("骨", FONT, Drawing(face=3)).pixels)


def test_a_missing_glyph_is_listed_and_drawn_only_when_asked():
    drawn = draw(f"的{LACKING} 的", FONT, Drawing(face=2))
    assert (drawn.characters, drawn.missing) == (["的", " "], [LACKING])
    shown = draw(f"的{LACKING}\uffff", FONT, Drawing(face=2, draw_missing=True))
    assert shown.characters == ["的", LACKING, "\uffff"] and shown.missing == [LACKING]
    assert shown.pixels[1].any()
    with pytest.raises(InputError, match="none of the 1 characters"):
        draw(LACKING, FONT, Drawing(face=2))


def test_mistakes_are_sentences(tmp_path):
    with pytest.raises(InputError, match="no such font"):
        draw("的", tmp_path / "no.ttf")
    with pytest.raises(InputError, match="no face 99"):
        draw("的", FONT, Drawing(face=99))
    with pytest.raises(InputError, match="single characters"):
        draw(["的的"], FONT)
    (tmp_path / "text.ttf").write_text("no font")
    with pytest.raises(InputError, match="no font that FreeType reads"):
        draw("的", tmp_path / "text.ttf")


def test_what_is_written_is_read(tmp_path):
    drawn = draw(f"果杲{LACKING}", FONT, Drawing(face=2, edge=12))
    bitmaps.write(tmp_path / "glyphs", drawn, font=FONT, parameters={"edge": 12})
    glyphs = bitmaps.read(tmp_path / "glyphs")
    assert (glyphs.characters, glyphs.missing) == (["果", "杲"], [LACKING])
    assert np.array_equal(glyphs.pixels, drawn.pixels)
    card = read_card(tmp_path / "glyphs")
    assert card["counts"] == {"characters": 2, "missing": 1, "look_alikes": 2}
    assert any("果杲" in note for note in card["notes"]) and any(LACKING in note for note in card["notes"])
    np.save(tmp_path / "glyphs" / bitmaps.PIXELS, np.zeros((3, 18), dtype=np.uint8))
    with pytest.raises(InputError, match="does not hold 2 bitmaps"):
        bitmaps.read(tmp_path / "glyphs")
    with pytest.raises(InputError, match="draw the characters first"):
        bitmaps.read(tmp_path / "nothing")


def test_different_pixels_are_counted():
    drawn = draw("十一土", FONT, Drawing(face=2))
    by_hand = [[int((first ^ second).sum()) for second in drawn.pixels] for first in drawn.pixels]
    assert bitmaps.different_pixels(drawn, [0, 1, 2]).tolist() == by_hand
