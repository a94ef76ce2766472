"""Every network, for every task and seed: `python -m stages.entity_documents.train wordnet_places`.

data/corpora/entity_documents/<corpus>, vectors -> data/models/entity_documents/networks/<corpus>/<task>/<variant>
"""

import sys
from pathlib import Path

from repline.parameters import arguments
from repline.systems.entity_documents.documents import read_documents
from repline.systems.entity_documents.settings import Settings, Variant, corpus, read
from repline.systems.entity_documents.training import train_classifier
from stages import run
from stages.entity_documents.places import DOCUMENTS, NETWORKS, VECTORS
from stages.seeds import models


def main() -> None:
    settings = read()
    name = corpus(settings, sys.argv[1:])
    with models(NETWORKS / name) as made:
        for variant, chosen in settings.variants.items():
            documents = read_documents(DOCUMENTS / name, chosen.mode)
            for task in documents.labels:
                made.train(
                    train_classifier,
                    documents,
                    seeds=settings.seeds,
                    into=f"{task}/{variant}",
                    task=task,
                    vectors=_vectors(settings, chosen, name),
                    name=f"{name}-{variant}",
                    **arguments(settings.network),
                )


def _vectors(settings: Settings, variant: Variant, name: str) -> Path | None:
    match variant.vectors:
        case "random":
            return None
        case "public":
            return Path("data/vectors") / settings.public
    return VECTORS / name / f"{variant.mode}-{variant.vectors}"


if __name__ == "__main__":
    run(main)
