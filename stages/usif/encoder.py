"""data/vectors, data/corpora/usif -> data/models/usif_encoder: uSIF as an encoder in a folder of its own."""

from repline.files import new_folder
from repline.systems.usif.encoder import write
from repline.systems.usif.settings import load
from stages import run
from stages.folders import CORPORA, MODELS, VECTORS


def main() -> None:
    settings = load()
    with new_folder(MODELS / "usif_encoder") as partial:
        write(
            partial,
            vectors=VECTORS / settings.vectors,
            corpus=CORPORA / "usif",
            length=settings.length,
            components=settings.components,
        )


if __name__ == "__main__":
    run(main)
