"""data/<tagged.NAME.source> -> data/corpora/visual_characters/tagged/NAME: sentences in three parts.

`python -m stages.visual_characters.segmented peoples_daily`
"""

from pathlib import Path

from repline.parameters import arguments
from repline.systems.visual_characters import settings
from repline.systems.visual_characters.corpus import build_tagged, split_tagged
from stages import run
from stages.argument import argument
from stages.visual_characters import paths


def main() -> None:
    corpora = settings.load().tagged
    name = argument("a corpus", corpora)
    chosen = corpora[name]
    split = arguments(chosen, of=split_tagged)
    folder = paths.tagged(name)
    counts = build_tagged(folder, source=Path("data") / chosen.source, tag_letters=chosen.tag_letters, split=split)[
        "counts"
    ]
    print(f"{folder}: {counts['tagged']:,} sentences")


if __name__ == "__main__":
    run(main)
