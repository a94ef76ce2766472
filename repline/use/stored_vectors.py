"""Word vectors in the folder of a model that reads vectors which it did not learn."""

import warnings
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from repline.cards import card_or_files
from repline.errors import InputError, Notice
from repline.vectors import store

FOLDER = "vectors"  # in the folder of a model
FREQUENT = 30_000


def vectors_of_encoder(model: str | Path, named: str) -> Path:
    """The folder of vectors that a model's `encoder.json` names.

    It is a path from the model's folder, or from the working directory. Where neither is there, since the model was
    copied elsewhere, it is the model's own copy of the frequent vectors, and a warning says so: sentences with rare
    words have other vectors then.
    """
    for folder in (Path(model) / named, Path(named)):
        if folder.is_dir():
            return folder
    warnings.warn(
        f"{model}: there is no folder {named} here; of its word vectors only the frequent ones in the model are read",
        Notice,
        stacklevel=2,
    )
    return Path(model) / FOLDER


def vectors_by_word(folder: str | Path, dimensions: int) -> tuple[dict[str, int], np.ndarray]:
    """The row of each word, and the vectors [V, d], of a folder that a model is to read from now on.

    Raises:
        InputError: there are no vectors, or they have other dimensions than the model reads.
    """
    words, matrix = store.words_and_matrix(folder)
    if matrix.shape[1] != dimensions:
        raise InputError(f"{folder}: expected vectors of {dimensions} dimensions, found {matrix.shape[1]}")
    return {word: row for row, word in enumerate(words)}, matrix


def store_vectors(model: str | Path, vectors: str | Path, needed: Iterable[str] = (), frequent: int = FREQUENT) -> None:
    """Copy the vectors of frequent and of needed words into a model's folder, so that it can be copied alone.

    Args:
        model: the folder of a saved model; the vectors go to `FOLDER` in it.
        vectors: a folder of word vectors, the most frequent words first.
        needed: words that are copied if they have a vector, frequent or not: those of training.
        frequent: number of words that are copied, from the first on. A vector that is not finite is left out.
    """
    words, matrix = store.words_and_matrix(vectors)
    row_of = {word: row for row, word in enumerate(words)}
    rows = np.array(sorted({*range(min(frequent, len(words))), *(row_of[word] for word in needed if word in row_of)}))
    rows = rows[np.isfinite(matrix[rows]).all(axis=1)]
    card = card_or_files(vectors)
    store.save(
        Path(model) / FOLDER,
        [words[row] for row in rows],
        matrix[rows],
        name=str(card.get("name", Path(vectors).name)),
        description="Word vectors that the model reads: those of its training, and of frequent words",
        licence=str(card["licence"]),
        sources=[{"vectors": card}],
        parameters={"frequent": frequent},
    )
