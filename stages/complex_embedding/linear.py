"""Naive Bayes and logistic regression on TF-IDF, the peers: `python -m stages.complex_embedding.linear reviews`.

data/corpora/classification/<texts> -> data/models/complex_embedding/linear/<corpus>/<peer>.npz
"""

import numpy as np

from repline.corpora.labelled.classified_texts import read_texts
from repline.evaluation.classification.linear_peers import linear_probabilities
from repline.files import new_folder
from repline.systems.complex_embedding.settings import read
from stages import run
from stages.argument import argument
from stages.complex_embedding.places import LINEAR, TEXTS


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
