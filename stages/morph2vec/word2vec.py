"""word2vec vectors of a text: `python -m stages.morph2vec.word2vec turkish`.

data/corpora/turkish -> data/vectors/turkish-word2vec
"""

import sys

from repline.parameters import arguments
from repline.systems.morph2vec.settings import read
from repline.vectors.training import word2vec
from stages import run
from stages.morph2vec.inputs import DATA, named


def main() -> None:
    settings = read()
    name = named(sys.argv[1:], settings.texts, "a text")
    knobs = arguments(settings.texts[name].word2vec)
    counts = word2vec(DATA / "corpora" / name, DATA / "vectors" / f"{name}-word2vec", lower=False, **knobs)["counts"]
    print(f"data/vectors/{name}-word2vec: {counts['words']:,} words of {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
