"""Inputs that the steps share: the words and vectors of a space, published segmentations, trained models."""

from pathlib import Path
from typing import Any

import numpy as np

from repline.errors import InputError
from repline.pretrained import pretrained
from repline.segmentation.morphology.segmentation_files import Segmentations, read
from repline.systems.morph2vec.corpus import usable_words
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.settings import Model, Settings, Space, models_of
from stages import word_vectors

DATA = word_vectors.DATA
CORPORA = DATA / "corpora" / "morph2vec"
MODELS = DATA / "models" / "morph2vec"


def space_vectors(space: Space) -> tuple[list[str], np.ndarray]:
    """The words of a space, V of them, and their vectors [V, d].

    Raises:
        InputError: the vectors are not there or broken, or none of their words is of letters in lower case.
    """
    words, matrix = word_vectors.vectors(space.vectors, None)
    rows = usable_words(words, space.language, space.words)
    if not len(rows):
        raise InputError(f"{DATA / space.vectors}: none of its words is of letters in lower case")
    return [words[row] for row in rows], np.asarray(matrix[rows], dtype=np.float32)


def segmentations(places: list[str], language: str) -> Segmentations:
    """The segmentations of all files, those of the first ones first; empty where there are no files."""
    found: Segmentations = {}
    for place in places:
        for word, options in read(DATA / place, language).items():
            found.setdefault(word, []).extend(options)
    return found


def trained(settings: Settings, space: str) -> dict[str, list[Morph2Vec]]:
    """The models of a space by their names, one for each seed."""
    return {name: runs(settings, name, model) for name, model in models_of(settings, space).items()}


def runs(settings: Settings, name: str, model: Model) -> list[Morph2Vec]:
    """The models of one training, one for each seed."""
    seeds = model.seeds or settings.seeds
    return [pretrained(Morph2Vec, Path(MODELS) / name / f"seed-{seed}") for seed in seeds]


def named(arguments: list[str], known: Any, what: str) -> str:
    """The one name on the command line; InputError if it is none of those known."""
    if len(arguments) != 1 or arguments[0] not in known:
        raise InputError(f"expected the name of {what}, one of: {', '.join(known) or 'none is named'}")
    return arguments[0]
