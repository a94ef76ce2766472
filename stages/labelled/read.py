"""data/<source> -> data/corpora/<name>: documents with labels. `python -m stages.labelled.read NAME`."""

import sys
from pathlib import Path

from repline.corpora.labelled.labelled_corpus import write_labelled
from repline.errors import InputError
from stages import run
from stages.labelled import settings


def main() -> None:
    corpora = settings.corpora()
    if len(sys.argv) != 2 or sys.argv[1] not in corpora:
        raise InputError(f"expected the name of a corpus, one of: {', '.join(corpora) or 'none is named'}")
    knobs, folder = corpora[sys.argv[1]], Path("data/corpora") / sys.argv[1]
    card = write_labelled(Path("data") / knobs.pop("source"), folder, **knobs)
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
