"""data/vectors, data/<counts> -> data/models/usif_encoder: uSIF as an encoder that the suite of sentences takes."""

from repline.files import new_folder
from repline.systems.usif.encoder import write
from repline.systems.usif.settings import load
from stages import run
from stages.folders import DATA, MODELS, VECTORS


def main() -> None:
    settings = load()
    with new_folder(MODELS / "usif_encoder") as partial:
        write(
            partial,
            vectors=VECTORS / settings.vectors,
            unigrams=DATA / settings.unigrams,
            length=settings.length,
            components=settings.components,
        )


if __name__ == "__main__":
    run(main)
