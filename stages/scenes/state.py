"""data/<source> -> data/corpora/<name>: the triplets that sentences state. `python -m stages.scenes.state NAME`."""

from repline.corpora.scenes.stated_triplets import write_stated
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.folders import CORPORA, DATA
from stages.scenes.settings import load


def main() -> None:
    stated = load().stated
    name = argument("the name of a corpus", stated)
    folder = CORPORA / name
    card = write_stated(DATA / stated[name].source, folder, progress=counter("sentences", "triplets"))
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in card["counts"].items()))


if __name__ == "__main__":
    run(main)
