"""data/<source> -> data/corpora/<name>: documents with labels. `python -m stages.labelled.read NAME`."""

from pathlib import Path

from repline.corpora.labelled.labelled_corpus import write_labelled
from stages import run
from stages.argument import argument
from stages.labelled import settings


def main() -> None:
    corpora = settings.corpora()
    name = argument("the name of a corpus", corpora)
    knobs, folder = corpora[name], Path("data/corpora") / name
    card = write_labelled(Path("data") / knobs.pop("source"), folder, **knobs)
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
