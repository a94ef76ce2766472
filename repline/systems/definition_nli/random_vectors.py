"""Vectors of words: those of a folder, and a random one for every other word."""

import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.vectors.store import words_and_matrix


def vectors_of(
    words: Sequence[str], folder: str | Path, known_words: int | None, spread: float
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Vectors of words [V, d], random where the folder has none, and which of them are random [V].

    The random vector of a word depends on the word alone.

    Args:
        words: the most frequent first.
        folder: of vectors, as `repline.vectors.store` writes it.
        known_words: number of words that may keep their vectors; all later ones have random vectors. None: no bound.
    """
    names, matrix = words_and_matrix(folder)
    with_vectors = set(words[:known_words])
    row_of = {name: row for row, name in enumerate(names) if name in with_vectors}
    vectors = random_vectors(words, matrix.shape[1], spread)
    unknown = np.array([word not in row_of for word in words], bool)
    vectors[~unknown] = matrix[[row_of[word] for word in words if word in row_of]]
    return vectors, unknown


def random_vectors(words: Sequence[str], dimensions: int, spread: float) -> NDArray[np.float32]:
    """A Gaussian vector for each word, always the same for the same word [V, d]."""
    drawn = (np.random.default_rng(zlib.crc32(word.encode())).standard_normal(dimensions) for word in words)
    return np.array([spread * vector for vector in drawn], np.float32).reshape(len(words), dimensions)
