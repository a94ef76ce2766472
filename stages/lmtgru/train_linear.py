"""Train the linear peers on TF-IDF: `python -m stages.lmtgru.train_linear chat_made`.

data/corpora/classification/<texts> -> data/models/lmtgru/linear/<corpus>/<fold>/<peer>.npz
"""

from repline.corpora.labelled.classified_texts import read_texts
from repline.evaluation.classification.linear_peers import train_linear
from repline.files import new_folder
from repline.systems.lmtgru.folds import folds_of
from repline.systems.lmtgru.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, MODELS


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    corpus = settings.corpora[name]
    texts = read_texts(CORPORA / "classification" / corpus.texts)
    with new_folder(MODELS / "lmtgru" / "linear" / name) as partial:
        for fold, parts in folds_of(texts, corpus.folds).items():
            train_linear(settings.linear, parts, partial / fold)


if __name__ == "__main__":
    run(main)
