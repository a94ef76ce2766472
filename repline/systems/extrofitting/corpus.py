"""The vectors that lexicons are fitted into."""

from pathlib import Path

import numpy as np

from repline.cards import source_of
from repline.systems.extrofitting.settings import Settings
from repline.vectors import store
from repline.vectors.formats import readers
from repline.vectors.normalisation import unit_length

SMOOTHING = 1e-5  # of the length, as the programs of retrofitting and extrofitting divide


def write_start(folder: str | Path, vectors: str, settings: Settings, data: str | Path = "data") -> None:
    """Write the first words of some vectors at length one, into which lexicons are fitted.

    Args:
        folder: replaces what was there.
        vectors: the name of some `settings.vectors`.
        data: where they lie.
    """
    words, matrix = readers.read(Path(data) / settings.vectors[vectors], limit=settings.words)
    store.save(
        folder,
        words,
        unit_length(np.array(matrix), SMOOTHING),
        description="Vectors at length one, before a lexicon is fitted into them",
        licence="that of the vectors",
        sources=[source_of(settings.vectors[vectors], data)],
        parameters={"words": settings.words},
    )
