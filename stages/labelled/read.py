"""data/<source> -> data/corpora/<name>: documents with labels. `python -m stages.labelled.read NAME`."""

from repline.corpora.labelled.labelled_corpus import write_labelled
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA
from stages.labelled.settings import load


def main() -> None:
    corpora = load().corpora
    name = argument("the name of a corpus", corpora)
    folder = CORPORA / name
    card = write_labelled(DATA / corpora[name].source, folder, corpora[name])
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
