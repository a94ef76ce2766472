"""Split texts with one label each into three parts: `python -m stages.labelled.split NAME`.

data/<corpus> -> data/corpora/classification/<name>
"""

from repline.corpora.labelled.split_corpus import write_split
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA
from stages.labelled.settings import load


def main() -> None:
    splits = load().splits
    name = argument("the name of a split", splits)
    folder = CORPORA / "classification" / name
    card = write_split(DATA / splits[name].corpus, folder, splits[name])
    counts = (f"{count:,} {what.replace('_', ' ')}" for what, count in card["counts"].items() if count)
    print(f"{folder}: " + ", ".join(counts))


if __name__ == "__main__":
    run(main)
