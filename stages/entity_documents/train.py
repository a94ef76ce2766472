"""Train one variant on a corpus, once per task and seed: `python -m stages.entity_documents.train CORPUS VARIANT`.

data/corpora/entity_documents/<corpus>, data/lexicons/entity_gazetteer
-> data/models/entity_documents/networks/<corpus>/<variant>/<task>/seed-<s>, and next to these the vectors that the
networks begin with, where they are of the documents.
"""

from pathlib import Path

from repline.corpora.entities.gazetteers import FILE
from repline.systems.entity_documents.corpus import Documents, read_data
from repline.systems.entity_documents.name_vectors import VECTORS, write_vectors
from repline.systems.entity_documents.settings import Settings, load
from repline.systems.entity_documents.training import train
from stages import folders, run
from stages.argument import arguments
from stages.runs import trained_runs

NAMES = folders.DATA / "lexicons/entity_gazetteer" / FILE


def main() -> None:
    settings = load()
    corpus, variant = arguments({"a corpus": settings.corpora, "a variant": settings.variants})
    recipe = settings.variants[variant]
    documents = read_data(folders.CORPORA / "entity_documents" / corpus, recipe.mode)
    with trained_runs("entity_documents", "networks", corpus, variant) as runs:
        vectors = first_vectors(settings, variant, documents, runs.folder / VECTORS)
        for task in documents.labels:
            for seed in settings.seeds:
                train(recipe, documents, task, runs.run(seed, task), vectors, NAMES)


def first_vectors(settings: Settings, variant: str, documents: Documents, folder: Path) -> Path | None:
    """The folder of the vectors that a variant begins with; vectors of the documents are trained into `folder`."""
    match settings.variants[variant].vectors:
        case "random":
            return None
        case "public":
            return folders.VECTORS / settings.public
        case texts:
            write_vectors(folder, documents, texts, settings.vectors)
            return folder


if __name__ == "__main__":
    run(main)
