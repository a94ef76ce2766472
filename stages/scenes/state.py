"""data/<source> -> data/corpora/<name>: the triplets that sentences state. `python -m stages.scenes.state NAME`."""

from pathlib import Path

from repline.corpora.scenes.stated_triplets import write_stated
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.scenes import settings


def main() -> None:
    corpora = settings.stated()
    name = argument("the name of a corpus", corpora)
    knobs, folder = corpora[name], Path("data/corpora") / name
    source = Path("data") / knobs.pop("source")
    card = write_stated(source, folder, progress=counter("sentences", "triplets"), **knobs)
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in card["counts"].items()))


if __name__ == "__main__":
    run(main)
