"""The characters of data/corpora/visual_characters, drawn with a font of data/raw -> data/corpora/glyphs."""

from repline.cards import read_card
from repline.glyphs import bitmaps
from repline.glyphs.font_rendering import draw
from repline.systems.visual_characters.corpus import all_characters, only_file
from repline.systems.visual_characters.settings import load
from stages import run
from stages.folders import CORPORA, DATA

GLYPHS = CORPORA / "glyphs"


def main() -> None:
    settings = load()
    folder = CORPORA / "visual_characters"
    font = only_file(DATA / settings.glyphs.font)
    drawn = draw(all_characters(folder), font, settings.glyphs)
    sources = [read_card(folder / "words"), *(read_card(folder / "tagged" / name) for name in settings.tagged)]
    bitmaps.write(GLYPHS, drawn, font=font, parameters=settings.glyphs.model_dump(), sources=sources)
    print(f"{GLYPHS}: {len(drawn.characters):,} characters of {drawn.size} x {drawn.size} pixels")
    if drawn.missing:
        treatment = "drawn as missing" if settings.glyphs.draw_missing else "left out with all that has them"
        print(f"the font lacks {len(drawn.missing)}, {treatment}: {''.join(drawn.missing)}")
    for group in bitmaps.collisions(drawn):
        print(f"the same bitmap: {' '.join(group)}")


if __name__ == "__main__":
    run(main)
