"""Train word vectors on the train part of a corpus: `python -m stages.hcan.train_vectors chapters`.

data/corpora/classification/<texts> -> data/models/hcan/vectors/<corpus>; without vectors where they begin at random
"""

from repline.files import new_folder
from repline.systems.hcan.settings import load
from repline.vectors.training import word2vec
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, MODELS


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    corpus, folder = settings.corpora[name], MODELS / "hcan" / "vectors" / name
    if corpus.vectors == "random":
        with new_folder(folder) as partial:
            (partial / "random.txt").write_text("The word vectors of networks begin at random.\n", encoding="utf-8")
        return
    counts = word2vec(CORPORA / "classification" / corpus.texts, folder, settings.word2vec(name))["counts"]
    print(f"{folder}: vectors of {counts['words']:,} words")


if __name__ == "__main__":
    run(main)
