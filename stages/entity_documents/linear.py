"""TF-IDF and logistic regression, the peer: `python -m stages.entity_documents.linear wordnet_places`.

data/corpora/entity_documents/<corpus> -> data/models/entity_documents/linear/<corpus>/<task>/<mode>.npz
"""

import sys

import numpy as np

from repline.files import new_folder
from repline.parameters import arguments
from repline.systems.entity_documents.documents import read_documents
from repline.systems.entity_documents.linear_classifier import linear_scores
from repline.systems.entity_documents.settings import corpus, read
from stages import run
from stages.entity_documents.places import DOCUMENTS, LINEAR


def main() -> None:
    settings = read()
    name = corpus(settings, sys.argv[1:])
    knobs = {key: value for key, value in arguments(settings.linear).items() if key != "modes"}
    with new_folder(LINEAR / name) as folder:
        for mode in settings.linear.modes:
            documents = read_documents(DOCUMENTS / name, mode)
            for task in documents.labels:
                (folder / task).mkdir(exist_ok=True)
                np.savez(folder / task / f"{mode}.npz", **linear_scores(documents, task, **knobs))
            print(f"{mode}: {', '.join(documents.labels)}", flush=True)


if __name__ == "__main__":
    run(main)
