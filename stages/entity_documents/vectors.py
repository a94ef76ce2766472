"""GloVe on the documents in each way of writing names: `python -m stages.entity_documents.vectors wordnet_places`.

data/corpora/entity_documents/<corpus> -> data/models/entity_documents/vectors/<corpus>/<mode>-<texts>
"""

import sys

from repline.files import new_folder
from repline.parameters import arguments
from repline.systems.entity_documents.documents import read_documents
from repline.systems.entity_documents.name_vectors import write_vectors
from repline.systems.entity_documents.settings import corpus, own_vectors, read
from stages import run
from stages.entity_documents.places import DOCUMENTS, VECTORS


def main() -> None:
    settings = read()
    name = corpus(settings, sys.argv[1:])
    with new_folder(VECTORS / name) as folder:
        for mode, texts in own_vectors(settings):
            documents = read_documents(DOCUMENTS / name, mode)
            place = folder / f"{mode}-{texts}"
            counts = write_vectors(place, documents, texts, **arguments(settings.vectors))["counts"]
            print(f"{mode}, {texts}: {counts['words']:,} words, {counts['cells']:,} cells", flush=True)


if __name__ == "__main__":
    run(main)
