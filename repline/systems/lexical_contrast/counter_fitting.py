"""Counter-fitting: push antonyms apart and pull synonyms together while near words stay as near as they were.

    antonyms (u, w):     max(0, δ - dist(u, w))
    synonyms (u, w):     max(0, dist(u, w) - γ)
    neighbours (i, j):   max(0, dist(i, j) - dist0(i, j))     the pairs nearer than ρ in the original space
    dist(u, w) = 1 - u·w

Every epoch sums the gradients of all active pairs at the current vectors, divides each word's sum by the number of its
active pairs, adds it, and brings every vector back to length one. As in the authors' program, neighbours are pairs of
the whole vocabulary, an antonym is no neighbour, and a pair that is exactly as near as before is active. So all
neighbours draw each other in the first epoch, whether or not they have constraints.

Notation: V words, d dimensions, vectors of length one from `matrix` [V, d]. δ, γ, ρ are `delta`, `gamma`, `rho` of
`CounterFitting`, whose `weights` are those of the three sums.

Rows are brought to length one by `repline.vectors.normalisation`.

Source: Mrkšić, Ó Séaghdha, Thomson, Gašić, Rojas-Barahona, Su, Vandyke, Wen and Young 2016, "Counter-fitting Word
Vectors to Linguistic Constraints", section 2; github.com/nmrksic/counter-fitting.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.errors import InputError
from repline.systems.lexical_contrast.settings import CounterFitting
from repline.vectors.normalisation import unit_length

AS_PUBLISHED = CounterFitting()
BLOCK = 256  # rows of the similarity matrix at a time
MAX_NEIGHBOURS = 50_000_000  # pairs, which take about 6 GB
_ROUNDING = 1e-5  # by which a cosine in float32 may be wrong, with room


class _Pairs(NamedTuple):
    """Unordered pairs of rows, and the partners of each row.

    Attributes:
        pairs: [n, 2].
        graph: [V, V], at a row and its partner the number of the pair.
    """

    pairs: NDArray[np.int64]
    graph: sparse.csr_array

    @classmethod
    def of(cls, pairs: NDArray, size: int) -> "_Pairs":
        pairs = np.reshape(pairs, (-1, 2)).astype(np.int64)
        rows, columns = np.concatenate([pairs, pairs[:, ::-1]]).T
        numbers = np.tile(np.arange(len(pairs)), 2)
        order = np.lexsort((columns, rows))
        ends = np.searchsorted(rows[order], np.arange(size + 1))
        return cls(pairs, sparse.csr_array((numbers[order], columns[order], ends), shape=(size, size)))

    def distances(self, vectors: NDArray) -> NDArray:
        """1 - cosine of each pair: [n]."""
        return 1 - np.einsum("nd,nd->n", vectors[self.pairs[:, 0]], vectors[self.pairs[:, 1]])

    def gradient(self, vectors: NDArray, distances: NDArray, active: NDArray) -> tuple[NDArray, NDArray]:
        """The sum over each row's active pairs of the gradient of the distance [V, d], and how many these are [V]."""
        numbers, partners, ends = self.graph.data, self.graph.indices, self.graph.indptr
        weights = active[numbers].astype(np.float64)
        adjacency, cosines = (
            sparse.csr_array((values, partners, ends), shape=self.graph.shape)
            for values in (weights, weights * (1 - distances[numbers]))
        )
        return vectors * cosines.sum(1)[:, None] - adjacency @ vectors, adjacency.sum(1)


def counter_fit(
    matrix: NDArray, synonyms: NDArray, antonyms: NDArray, recipe: CounterFitting = AS_PUBLISHED
) -> NDArray:
    """Vectors of length one after some epochs of full-batch gradient descent.

    Args:
        matrix: [V, d] float; read only.
        synonyms, antonyms: [n, 2] int, unordered pairs of rows.
        recipe: epochs, distances and weights.

    Returns:
        [V, d] of the type of `matrix`; a word in no pair and without neighbours keeps its direction, and so do all
            words where there is no pair.

    Raises:
        InputError: more than `MAX_NEIGHBOURS` pairs of words are nearer than ρ.
    """
    if not len(synonyms) + len(antonyms):
        return unit_length(matrix)
    vectors = unit_length(np.asarray(matrix, dtype=np.float64))
    repelled, attracted = _Pairs.of(antonyms, len(vectors)), _Pairs.of(synonyms, len(vectors))
    near = _Pairs.of(_without(neighbours(vectors, recipe.rho), repelled.pairs, len(vectors)), len(vectors))
    before = near.distances(vectors)
    for _ in range(recipe.epochs):
        update, count = np.zeros_like(vectors), np.zeros(len(vectors))
        for kind, is_active, weight in (
            (repelled, lambda distances: distances < recipe.delta, recipe.weights[0]),
            (attracted, lambda distances: distances > recipe.gamma, -recipe.weights[1]),
            (near, lambda distances: distances >= before, -recipe.weights[2]),
        ):
            distances = kind.distances(vectors)
            gradient, pairs_of_rows = kind.gradient(vectors, distances, is_active(distances))
            update += weight * gradient
            count += pairs_of_rows
        vectors = unit_length(vectors + update / np.maximum(count, 1)[:, None])
    return vectors.astype(np.result_type(matrix, np.float32))


def neighbours(vectors: NDArray, rho: float) -> NDArray[np.int64]:
    """The unordered pairs of vectors of length one with 1 - cosine < rho: [n, 2], in blocks of rows.

    Raises:
        InputError: there are more than `MAX_NEIGHBOURS`.
    """
    singles, blocks, count = vectors.astype(np.float32), [], 0
    similarities = np.empty(BLOCK * len(vectors), np.float32)  # of one block, overwritten by the next
    for start in range(0, len(vectors), BLOCK):
        rows, columns = singles[start : start + BLOCK], singles[start:]
        cosines = np.matmul(rows, columns.T, out=similarities[: len(rows) * len(columns)].reshape(len(rows), -1))
        row, neighbour = np.divmod(np.flatnonzero(cosines > 1 - rho - _ROUNDING), len(columns))
        later = neighbour > row
        blocks.append(np.stack([row[later], neighbour[later]], axis=1) + start)
        count += len(blocks[-1])
        if count > MAX_NEIGHBOURS:
            raise InputError(
                f"counter-fitting keeps near words together, and more than {MAX_NEIGHBOURS:,} pairs of words are "
                f"nearer than {rho}; take fewer words, or subtract the mean of all vectors first"
            )
    pairs = np.concatenate(blocks)
    cosines = np.einsum("nd,nd->n", vectors[pairs[:, 0]], vectors[pairs[:, 1]])
    return pairs[1 - cosines < rho]


def _without(pairs: NDArray[np.int64], left_out: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The pairs that are not among others, in either order."""
    numbers, numbers_left_out = (np.sort(rows, axis=1) @ np.array([size, 1]) for rows in (pairs, left_out))
    return pairs[~np.isin(numbers, numbers_left_out)]
