"""Retrieval of translations: the share of sentences whose nearest sentence of another language is the translation.

Accuracy a -> b is the share of sentences i of language a whose nearest neighbour by cosine among all sentences of b is
number i. Among equal vectors the lowest number counts, so that duplicates are wrong even within a language.

Source: Yu, Li & Oguz 2018, section 4.2.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

SMALLEST = 1e-9  # norm of a vector
BLOCK = 1024  # queries at a time: memory is that of a block, however many there are

HitTable = dict[str, dict[str, NDArray[np.bool_]]]  # by languages of query and answer, whether each of N is right


def unit_rows(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Divide each row of [N, d] by its norm; rows of zeros stay zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.maximum(norms, SMALLEST)).astype(np.float32)


def nearest(queries: NDArray[np.floating], candidates: NDArray[np.floating], block: int = BLOCK) -> NDArray[np.int64]:
    """The index of the candidate with the highest cosine, for each query: [N, d], [M, d] -> [N].

    Of candidates with the same vector the first counts, whatever the last bits of the products are.
    """
    targets = unit_rows(candidates)
    return _nearest(unit_rows(queries), targets, first_alike(targets), block)


def first_alike(vectors: NDArray[np.floating]) -> NDArray[np.int64]:
    """For each row, the index of the first equal row: [N, d] -> [N]."""
    firsts: dict[bytes, int] = {}
    return np.array([firsts.setdefault(row.tobytes(), number) for number, row in enumerate(vectors)], np.int64)


def translations_found(vectors: Mapping[str, NDArray[np.floating]]) -> HitTable:
    """Whether the nearest neighbour of each sentence is its translation, between all pairs of languages.

    Args:
        vectors: by language [N, d]; row i is the same sentence in each.

    Returns:
        bool [N] by languages of query and candidates, each language with itself as well.
    """
    units = {language: unit_rows(language_vectors) for language, language_vectors in vectors.items()}
    firsts = {language: first_alike(unit) for language, unit in units.items()}
    return {
        source: {target: _nearest(rows, units[target], firsts[target]) == np.arange(len(rows)) for target in units}
        for source, rows in units.items()
    }


def _nearest(
    rows: NDArray[np.float32], targets: NDArray[np.float32], firsts: NDArray[np.int64], block: int = BLOCK
) -> NDArray[np.int64]:
    best = np.empty(len(rows), np.int64)
    for start in range(0, len(rows), block):
        best[start : start + block] = (rows[start : start + block] @ targets.T).argmax(1)
    return firsts[best]


def averages(matrix: Mapping[str, Mapping[str, float | None]]) -> dict[str, float | None]:
    """Means of a table languages x languages: `all`, `across` without the diagonal, and `within` of it alone."""

    def mean(values: Sequence[float | None]) -> float | None:
        measured = [value for value in values if value is not None]
        return float(np.mean(measured)) if measured else None

    cells = [(source, target, value) for source, row in matrix.items() for target, value in row.items()]
    return {
        "all": mean([value for _, _, value in cells]),
        "across": mean([value for source, target, value in cells if source != target]),
        "within": mean([value for source, target, value in cells if source == target]),
    }
