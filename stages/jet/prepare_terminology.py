"""One terminology: `python -m stages.jet.terminology wordnet`; data/<source> -> data/lexicons/jet/<name>."""

from pathlib import Path

from repline.cards import card_or_files
from repline.parameters import arguments
from repline.systems.jet.name_sources import table_names, wikipedia_names, wordnet_nouns
from repline.systems.jet.settings import read
from repline.systems.jet.terminology import write
from stages import run
from stages.argument import argument

FOLDER = Path("data/lexicons/jet")


def main() -> None:
    _, terminologies, _ = read()
    name = argument("the name of a terminology", terminologies)
    chosen = terminologies[name]
    source = Path("data") / chosen.source
    if chosen.kind == "wikipedia":
        names = wikipedia_names(source, anchors=chosen.anchors)
    else:
        names = (wordnet_nouns if chosen.kind == "wordnet" else table_names)(source)
    card = write(names, FOLDER / name, origin=card_or_files(source), **arguments(chosen, of=write))
    counts = card["counts"]
    print(
        f"{FOLDER / name}: {counts['terms']:,} terms for {counts['entities']:,} entities; left out: "
        f"{counts['left_out_too_long']:,} too long, {counts['left_out_stop_words']:,} stop words"
    )


if __name__ == "__main__":
    run(main)
