"""Naive Bayes and logistic regression on TF-IDF, the peers: `python -m stages.lmtgru.linear chat_made`.

data/corpora/classification/<texts> -> data/models/lmtgru/linear/<corpus>/<fold>/<peer>.npz
"""

import numpy as np

from repline.evaluation.classification.linear_peers import linear_probabilities
from repline.files import new_folder
from repline.systems.lmtgru.settings import read
from stages import run
from stages.argument import argument
from stages.lmtgru.folds import folds
from stages.lmtgru.places import LINEAR


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    with new_folder(LINEAR / name) as folder:
        for fold, texts in folds(settings, name):
            (folder / fold).mkdir()
            for peer, probabilities in linear_probabilities(texts, **settings.linear).items():
                np.savez(folder / fold / f"{peer}.npz", **probabilities)
    print(f"{LINEAR / name}: {len(settings.folds(name))} fold(s)")


if __name__ == "__main__":
    run(main)
