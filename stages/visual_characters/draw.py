"""The characters of data/corpora/visual_characters, drawn with a font of data/raw -> data/corpora/glyphs."""

from pathlib import Path

from repline.cards import read_card
from repline.glyphs import bitmaps
from repline.glyphs.font_rendering import draw
from repline.parameters import arguments
from repline.systems.visual_characters import settings
from repline.systems.visual_characters.corpus import all_characters, only_file
from stages import run
from stages.visual_characters import paths


def main() -> None:
    chosen = settings.load()
    font = only_file(Path("data") / chosen.glyphs.font)
    characters = all_characters(paths.CORPORA)
    options = arguments(chosen.glyphs, of=draw)
    drawn = draw(characters, font, **options)
    sources = [read_card(place) for place in [paths.WORDS, *map(paths.tagged, chosen.tagged)]]
    bitmaps.write(paths.GLYPHS, drawn, font=font, parameters=arguments(chosen.glyphs), sources=sources)
    print(f"{paths.GLYPHS}: {len(drawn.characters):,} characters of {drawn.size} x {drawn.size} pixels")
    if drawn.missing:
        done = "drawn as missing" if options.get("draw_missing") else "left out with all that has them"
        print(f"the font lacks {len(drawn.missing)}, {done}: {''.join(drawn.missing)}")
    for group in bitmaps.collisions(drawn):
        print(f"the same bitmap: {' '.join(group)}")


if __name__ == "__main__":
    run(main)
