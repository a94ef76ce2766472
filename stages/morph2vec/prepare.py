"""Find the candidate segmentations of the words of a space: `python -m stages.morph2vec.prepare english`.

data/<its vectors>, data/<its segmentations> -> data/corpora/morph2vec/english
"""

from repline.systems.morph2vec.corpus import write_data
from repline.systems.morph2vec.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA


def main() -> None:
    spaces = load().spaces
    name = argument("the name of a space", spaces)
    folder = CORPORA / "morph2vec" / name
    counts = write_data(folder, spaces[name])["counts"]
    print(f"{folder}: {counts['split_words']:,} of {counts['words']:,} words have a split")


if __name__ == "__main__":
    run(main)
