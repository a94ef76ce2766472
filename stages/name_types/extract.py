"""A dump of Freebase or Wikidata -> data/corpora/<name>: names by types. `python -m stages.name_types.extract NAME`."""

from pathlib import Path

from repline.corpora.freebase.dumps import write_dump
from stages import run, threads
from stages.argument import argument
from stages.counter import counter
from stages.name_types import settings


def main() -> None:
    dumps = settings.dumps(settings.load())
    name = argument("the name of a dump", dumps)
    knobs, folder = dumps[name], Path("data/corpora") / name
    source = Path("data") / knobs.pop("source")
    card = write_dump(source, folder, processes=threads(), progress=counter("lines", "pairs"), **knobs)
    print(f"{folder}: " + ", ".join(f"{number:,} {what}" for what, number in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
