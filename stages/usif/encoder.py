"""data/vectors, data/<counts> -> data/models/usif_encoder: uSIF as an encoder that the suite of sentences takes."""

from pathlib import Path

from repline.files import new_folder
from repline.parameters import load
from repline.systems.usif.encoder import write
from repline.systems.usif.settings import Settings
from stages import run

FOLDER = Path("data/models/usif_encoder")


def main() -> None:
    settings = load(Settings, "usif")
    with new_folder(FOLDER) as partial:
        write(
            partial,
            vectors=Path("data/vectors") / settings.vectors,
            unigrams=Path("data") / settings.unigrams,
            length=settings.length,
            components=settings.components,
        )


if __name__ == "__main__":
    run(main)
