"""Agreement in type of nearest entities (figure 1 of the paper), with chance and without shared terms."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

BLOCK = 1024  # entities that are compared with all others at a time


class Neighbours(NamedTuple):
    """The nearest other entity of each of some entities, -1 where there is none.

    Attributes:
        nearest: int64 [q]. unrelated: [q], the nearest among those that share no term.
    """

    nearest: NDArray[np.int64]
    unrelated: NDArray[np.int64]


def nearest_entities(
    vectors: NDArray, candidates: tuple[NDArray[np.int64], NDArray[np.int32]], queries: NDArray[np.int64]
) -> Neighbours:
    """The nearest entities by cosine.

    Args:
        vectors: [E, d]. candidates: offsets and rows, the entities of each term.
        queries: [q] rows.
    """
    directions = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    offsets, rows = candidates
    entities_by_term = sparse.csr_array(
        (np.ones(len(rows), np.int32), rows, offsets), shape=(len(offsets) - 1, len(vectors))
    )
    by_term = entities_by_term.T.tocsr()
    nearest, unrelated = (np.full(len(queries), -1) for _ in range(2))
    for start in range(0, len(queries), BLOCK):
        block = queries[start : start + BLOCK]
        cosines = directions[block] @ directions.T
        cosines[np.arange(len(block)), block] = -np.inf
        nearest[start : start + len(block)] = _best(cosines)
        sharing_a_term = (by_term[block] @ entities_by_term).tocoo()
        cosines[sharing_a_term.coords] = -np.inf
        unrelated[start : start + len(block)] = _best(cosines)
    return Neighbours(nearest, unrelated)


def type_matrix(types: Sequence[Sequence[str]]) -> NDArray[np.bool_]:
    """Which of the K types each entity has: bool [E, K]."""
    names = {name: column for column, name in enumerate(sorted({name for type_names in types for name in type_names}))}
    matrix = np.zeros((len(types), len(names)), dtype=bool)
    for row, type_names in enumerate(types):
        matrix[row, [names[name] for name in type_names]] = True
    return matrix


def agreement(types: NDArray[np.bool_], queries: NDArray[np.int64], nearest: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether an entity and its nearest one have a type in common [q]; false where there is no nearest one."""
    return (types[queries] & types[nearest]).any(1) & (nearest >= 0)


def chance(types: NDArray[np.bool_]) -> float:
    """The probability that two entities drawn at random have a type in common: sum of p^2 where each has one type."""
    sets, counts = np.unique(types, axis=0, return_counts=True)
    share = counts / counts.sum()
    return float(share @ (sets.astype(np.float64) @ sets.T > 0) @ share)


def _best(cosines: NDArray) -> NDArray[np.int64]:
    best = cosines.argmax(1)
    return np.where(np.isfinite(np.take_along_axis(cosines, best[:, None], 1)[:, 0]), best, -1)
