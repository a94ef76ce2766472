"""data/<dictionary, pairs, similarity> -> data/corpora/visual_characters/words."""

from pathlib import Path

from repline.parameters import arguments
from repline.systems.visual_characters import settings
from repline.systems.visual_characters.corpus import build
from stages import run
from stages.visual_characters import paths


def main() -> None:
    chosen = settings.load()
    places = {name: Path("data") / getattr(chosen, name) for name in ("dictionary", "pairs", "similarity")}
    options = {"words": arguments(chosen.words), "sentence_pairs": arguments(chosen.sentence_pairs)}
    counts = build(paths.WORDS, **places, **options)["counts"]
    print(f"{paths.WORDS}: " + ", ".join(f"{number:,} {name}" for name, number in counts.items()))


if __name__ == "__main__":
    run(main)
