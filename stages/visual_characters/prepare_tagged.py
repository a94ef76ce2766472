"""data/<tagged.NAME.source> -> data/corpora/visual_characters/tagged/NAME: sentences in three parts.

`python -m stages.visual_characters.prepare_tagged peoples_daily`
"""

from repline.systems.visual_characters.corpus import write_tagged
from repline.systems.visual_characters.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA


def main() -> None:
    corpora = load().tagged
    name = argument("a corpus", corpora)
    folder = CORPORA / "visual_characters" / "tagged" / name
    counts = write_tagged(folder, corpora[name])["counts"]
    print(f"{folder}: {counts['tagged']:,} sentences")


if __name__ == "__main__":
    run(main)
