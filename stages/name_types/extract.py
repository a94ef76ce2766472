"""A dump of Freebase or Wikidata -> data/corpora/<name>: names by types. `python -m stages.name_types.extract NAME`."""

import sys
from pathlib import Path

from repline.corpora.freebase.dumps import write_dump
from repline.errors import InputError
from stages import run, threads
from stages.counter import counter
from stages.name_types import settings


def main() -> None:
    dumps = settings.dumps(settings.load())
    if len(sys.argv) != 2 or sys.argv[1] not in dumps:
        raise InputError(f"expected the name of a dump, one of: {', '.join(dumps) or 'none is named'}")
    knobs, folder = dumps[sys.argv[1]], Path("data/corpora") / sys.argv[1]
    source = Path("data") / knobs.pop("source")
    card = write_dump(source, folder, processes=threads(), progress=counter("lines", "pairs"), **knobs)
    print(f"{folder}: " + ", ".join(f"{number:,} {what}" for what, number in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
