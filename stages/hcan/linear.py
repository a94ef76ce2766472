"""Naive Bayes and logistic regression on TF-IDF, the peers: `python -m stages.hcan.linear chapters`.

data/corpora/classification/<texts> -> data/models/hcan/linear/<corpus>/<peer>.npz
"""

import numpy as np

from repline.evaluation.classification.classified_texts import read_texts
from repline.evaluation.classification.linear_peers import linear_probabilities
from repline.files import new_folder
from repline.systems.hcan.settings import read
from stages import run
from stages.argument import argument
from stages.hcan.places import LINEAR, TEXTS


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    texts = read_texts(TEXTS / settings.corpora[name].texts)
    found = linear_probabilities(texts, **settings.linear)
    with new_folder(LINEAR / name) as folder:
        for peer, probabilities in found.items():
            np.savez(folder / f"{peer}.npz", **probabilities)
    print(f"{LINEAR / name}: {', '.join(found)}")


if __name__ == "__main__":
    run(main)
