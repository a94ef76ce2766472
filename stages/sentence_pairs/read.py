"""data/<source> -> data/corpora/<name>: pairs of sentences. `python -m stages.sentence_pairs.read NAME`."""

from pathlib import Path

from repline.corpora.sentence_pairs.pair_corpus import write_pairs
from stages import run
from stages.argument import argument
from stages.sentence_pairs import settings


def main() -> None:
    corpora = settings.corpora()
    name = argument("the name of a corpus", corpora)
    knobs, folder = corpora[name], Path("data/corpora") / name
    card = write_pairs(Path("data") / knobs.pop("source"), folder, **knobs)
    print(f"{folder}: " + ", ".join(f"{count:,} {what}" for what, count in card["counts"].items()))


if __name__ == "__main__":
    run(main)
