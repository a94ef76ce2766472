"""The vectors that lexicons are fitted into: `python -m stages.extrofitting.start glove_6b_50d`.

data/<place of the vectors> -> data/models/extrofitting/start/<vectors>: the first words, at length one.
"""

from pathlib import Path

import numpy as np

from repline.parameters import load as load_parameters
from repline.systems.extrofitting.settings import Settings
from repline.vectors.normalisation import unit_length
from repline.vectors.store import load, save
from stages import run, word_vectors
from stages.argument import argument

START = Path("data/models/extrofitting/start")
SMOOTHING = 1e-5  # of the length, as the programs of retrofitting and extrofitting divide


def main() -> None:
    settings = load_parameters(Settings, "extrofitting")
    name = argument("the name of vectors", settings.vectors)
    words, matrix = word_vectors.vectors(settings.vectors[name], settings.words)
    save(
        START / name,
        words,
        unit_length(matrix, SMOOTHING),
        description="Vectors at length one, before a lexicon is fitted into them",
        licence="that of the vectors",
        sources=[word_vectors.source(settings.vectors[name])],
        parameters={"words": settings.words},
        totals={},
        tools=[],
    )


def read(name: str) -> tuple[list[str], np.ndarray]:
    """The words and vectors that `main` wrote."""
    found = load(START / name)
    return found.index_to_key, found.vectors


if __name__ == "__main__":
    run(main)
