"""Retrieval: is the nearest sentence of another language the translation?

Accuracy a -> b is the share of sentences i of language a whose nearest neighbour by cosine among all sentences of b is
number i. Of equal vectors the lowest number counts, so that duplicates are wrong even within a language.

Source: Yu, Li & Oguz 2018, section 4.2.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

SMALLEST = 1e-9  # norm of a vector
BLOCK = 1024  # queries at a time: memory is that of a block, however many there are

Right = dict[str, dict[str, NDArray[np.bool_]]]  # by language of the query, by that of the answer, [N]


def unit_rows(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """[N, d], each row divided by its norm, zeros left as they are."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.maximum(norms, SMALLEST)).astype(np.float32)


def nearest(queries: NDArray[np.floating], candidates: NDArray[np.floating], block: int = BLOCK) -> NDArray[np.int64]:
    """The number of the candidate of the highest cosine with each query: [N, d], [M, d] -> [N].

    Of candidates with the same vector the first counts, whatever the last bits of the products are.
    """
    others = unit_rows(candidates)
    return _nearest(unit_rows(queries), others, first_alike(others), block)


def first_alike(vectors: NDArray[np.floating]) -> NDArray[np.int64]:
    """The number of the first row with the same numbers, of each row: [N, d] -> [N]."""
    firsts: dict[bytes, int] = {}
    return np.array([firsts.setdefault(row.tobytes(), number) for number, row in enumerate(vectors)], np.int64)


def translations_found(vectors: Mapping[str, NDArray[np.floating]]) -> Right:
    """Whether each sentence finds its translation, from each language to each, itself among them: [N, d] each."""
    units = {language: unit_rows(of_language) for language, of_language in vectors.items()}
    firsts = {language: first_alike(unit) for language, unit in units.items()}
    return {
        one: {other: _nearest(units[one], units[other], firsts[other]) == np.arange(len(units[one])) for other in units}
        for one in units
    }


def _nearest(
    rows: NDArray[np.float32], others: NDArray[np.float32], firsts: NDArray[np.int64], block: int = BLOCK
) -> NDArray[np.int64]:
    best = np.empty(len(rows), np.int64)
    for start in range(0, len(rows), block):
        best[start : start + block] = (rows[start : start + block] @ others.T).argmax(1)
    return firsts[best]


def averages(matrix: Mapping[str, Mapping[str, float | None]]) -> dict[str, float | None]:
    """Means of a table languages x languages: `all`, `across` without the diagonal, and `within` of it alone."""

    def mean(values: Sequence[float | None]) -> float | None:
        measured = [value for value in values if value is not None]
        return float(np.mean(measured)) if measured else None

    cells = [(one, other, value) for one, row in matrix.items() for other, value in row.items()]
    return {
        "all": mean([value for _, _, value in cells]),
        "across": mean([value for one, other, value in cells if one != other]),
        "within": mean([value for one, other, value in cells if one == other]),
    }
