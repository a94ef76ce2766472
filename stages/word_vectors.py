"""Word vectors from any place in data/, and the place as a source in a card."""

from functools import partial
from pathlib import Path

import numpy as np

from repline.cards import source_of
from repline.vectors.formats import readers

DATA = Path("data")
source = partial(source_of, data=DATA)


def vectors(place: str, words: int | None) -> tuple[list[str], np.ndarray]:
    """The first `words` of the vectors at data/`place`, in memory: any format of `repline.vectors.read`."""
    found, matrix = readers.read(DATA / place, limit=words)
    return found, np.array(matrix)
