"""Constraint sets for lexical contrast as rows of a vocabulary: which pairs attract, which repel.

A set is an [n, 2] array of different unordered pairs of rows, the smaller row first, in ascending order.

Source: Vulić and Korhonen 2018, "Injecting Lexical Contrast into Word Vectors by Guiding Vector Space Specialisation".
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


def pair_rows(pairs: Iterable[tuple[str, str]], words: Sequence[str]) -> NDArray[np.int64]:
    """The pairs whose words are both known, lower-cased, as a set of rows."""
    row = {word: number for number, word in enumerate(words)}
    row_pairs = [(row.get(first.lower(), -1), row.get(second.lower(), -1)) for first, second in pairs]
    rows = np.array(row_pairs, dtype=np.int64).reshape(-1, 2)
    return pair_set(rows[(rows >= 0).all(1)])


def pair_set(pairs: NDArray) -> NDArray[np.int64]:
    """Pairs in any order and number as a set: unordered, each once, none of a word with itself."""
    pairs = np.sort(np.asarray(pairs, dtype=np.int64).reshape(-1, 2), axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0).reshape(-1, 2)


def without(pairs: NDArray, excluded: NDArray) -> NDArray[np.int64]:
    """The pairs of a set that are not in another: synonyms that are not antonyms too, either way round."""
    size = 1 + max((int(rows.max()) for rows in (pairs, excluded) if len(rows)), default=0)
    return pairs[~np.isin(pairs[:, 0] * size + pairs[:, 1], excluded[:, 0] * size + excluded[:, 1])]


def with_directions(pairs: NDArray, matrix: NDArray) -> NDArray:
    """The pairs whose words both have a direction: their vectors in `matrix` [V, d] are not of length zero."""
    has_direction = np.einsum("vd,vd->v", matrix, matrix) > 0  # squares of tiny values are zero, too
    return pairs[has_direction[pairs].all(1)]


def expanded_antonyms(synonyms: NDArray, antonyms: NDArray) -> NDArray[np.int64]:
    """Antonyms and the synonyms of either end: for synonyms (i, j) and antonyms (i, k) also (j, k).

    New pairs that are synonyms are left out; the antonyms that were there stay.

    Args:
        synonyms, antonyms: sets.

    Returns:
        A set that holds `antonyms`.

    Source: Vulić and Korhonen 2018, section 2 (antexp), after Ono, Miwa and Sasaki 2015.
    """
    size = 1 + max((int(rows.max()) for rows in (synonyms, antonyms) if len(rows)), default=0)
    near, far = (_symmetric(rows, size) for rows in (synonyms, antonyms))
    reached = (near @ far).tocoo()
    return pair_set(np.concatenate([antonyms, without(pair_set(np.stack(reached.coords, axis=1)), synonyms)]))


def attract_and_repel(
    sets: dict[str, NDArray], attract: Sequence[str], repel: Sequence[str], left_out: NDArray | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pairs to attract and to repel of one configuration: unions of sets, where repelling wins a conflict.

    Args:
        left_out: a set of pairs that neither may hold.
    """
    joined = [
        pair_set(np.concatenate([np.empty((0, 2), np.int64), *(sets[name] for name in names)]))
        for names in (attract, repel)
    ]
    if left_out is not None:
        joined = [without(pairs, left_out) for pairs in joined]
    return without(joined[0], joined[1]), joined[1]


def _symmetric(pairs: NDArray, size: int) -> sparse.csr_array:
    both = np.concatenate([pairs, pairs[:, ::-1]])
    return sparse.csr_array((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(size, size))
