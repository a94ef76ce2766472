"""Train the linear peer, logistic regression on TF-IDF: `python -m stages.entity_documents.train_linear CORPUS`.

data/corpora/entity_documents/<corpus> -> data/models/entity_documents/linear/<corpus>/<task>/<mode>.npz
"""

import numpy as np

from repline.files import new_folder
from repline.systems.entity_documents.corpus import read_data
from repline.systems.entity_documents.linear_classifier import linear_scores
from repline.systems.entity_documents.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, MODELS


def main() -> None:
    settings = load()
    corpus = argument("the name of a corpus", settings.corpora)
    with new_folder(MODELS / "entity_documents" / "linear" / corpus) as folder:
        for mode in settings.linear.modes:
            documents = read_data(CORPORA / "entity_documents" / corpus, mode)
            for task in documents.labels:
                (folder / task).mkdir(exist_ok=True)
                scores = linear_scores(documents, task, settings.linear)
                np.savez(folder / task / f"{mode}.npz", dev=scores["dev"], test=scores["test"])


if __name__ == "__main__":
    run(main)
