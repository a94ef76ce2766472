"""A dump of Freebase or Wikidata -> data/corpora/<name>: names by types. `python -m stages.name_types.extract NAME`."""

from repline.corpora.freebase.dumps import write_dump
from stages import run, threads
from stages.argument import argument
from stages.counter import counter
from stages.folders import CORPORA
from stages.name_types.settings import load


def main() -> None:
    dumps = load().dumps
    name = argument("the name of a dump", dumps)
    folder = CORPORA / name
    card = write_dump(folder, dumps[name], processes=threads(), progress=counter("lines", "pairs"))
    print(f"{folder}: " + ", ".join(f"{number:,} {what}" for what, number in card["counts"].items()))
    for note in card["notes"]:
        print(f"  {note}")


if __name__ == "__main__":
    run(main)
