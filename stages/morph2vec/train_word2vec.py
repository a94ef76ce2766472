"""Train word2vec on a text: `python -m stages.morph2vec.train_word2vec turkish`.

data/corpora/turkish -> data/vectors/turkish-word2vec
"""

from repline.systems.morph2vec.settings import load
from repline.vectors.training import word2vec
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, VECTORS


def main() -> None:
    texts = load().texts
    name = argument("the name of a text", texts)
    folder = VECTORS / f"{name}-word2vec"
    counts = word2vec(CORPORA / name, folder, texts[name].word2vec_recipe)["counts"]
    print(f"{folder}: {counts['words']:,} words of {counts['tokens']:,} tokens")


if __name__ == "__main__":
    run(main)
