"""Counter-fitting: push antonyms apart and pull synonyms together while near words stay as near as they were.

    antonyms (u, w):     max(0, δ - dist(u, w))
    synonyms (u, w):     max(0, dist(u, w) - γ)
    neighbours (i, j):   max(0, dist(i, j) - dist0(i, j))     the pairs nearer than ρ in the original space
    dist(u, w) = 1 - u·w

Every epoch sums the gradients of all active pairs at the current vectors, divides each word's sum by the number of its
active pairs, adds it, and brings every vector back to length one. The mean over pairs is the authors' program.

Neighbours are pairs of words that both have constraints; the paper and the program have those of the whole vocabulary.
The program leaves out neighbours that are antonyms; the paper does not, and neither does this.

Notation: V words, d dimensions, vectors of length one from `matrix` [V, d]. δ, γ, ρ are `delta`, `gamma`, `rho` of
`CounterFitting`, whose `weights` are those of the three sums.

Rows are brought to length one by `repline.vectors.normalisation`.

Source: Mrkšić, Ó Séaghdha, Thomson, Gašić, Rojas-Barahona, Su, Vandyke, Wen and Young 2016, "Counter-fitting Word
Vectors to Linguistic Constraints", section 2; github.com/nmrksic/counter-fitting.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.systems.lexical_contrast.settings import CounterFitting
from repline.vectors.normalisation import unit_length

AS_PUBLISHED = CounterFitting()
BLOCK = 2048  # rows of the similarity matrix at a time


def counter_fit(
    matrix: NDArray, synonyms: NDArray, antonyms: NDArray, recipe: CounterFitting = AS_PUBLISHED
) -> NDArray:
    """Vectors of length one after some epochs of full-batch gradient descent.

    Args:
        matrix: [V, d] float; read only.
        synonyms, antonyms: [n, 2] int, unordered pairs of rows.
        recipe: epochs, distances and weights.

    Returns:
        [V, d] of the type of `matrix`; a word in no pair keeps its direction.
    """
    result = unit_length(matrix)
    rows = np.unique(np.concatenate([np.reshape(synonyms, (-1, 2)), np.reshape(antonyms, (-1, 2))])).astype(np.int64)
    if not len(rows):
        return result
    compact_row = np.full(len(matrix), -1)
    compact_row[rows] = np.arange(len(rows))
    vectors = unit_length(np.asarray(matrix[rows], dtype=np.float64))
    near = neighbours(vectors, recipe.rho)
    before = _distances(vectors, near)
    antonym_rows, synonym_rows = (
        compact_row[np.reshape(pairs, (-1, 2)).astype(np.int64)] for pairs in (antonyms, synonyms)
    )
    for _ in range(recipe.epochs):
        update, count = np.zeros_like(vectors), np.zeros(len(vectors))
        for pairs, active, weight in (
            (antonym_rows, _distances(vectors, antonym_rows) < recipe.delta, recipe.weights[0]),
            (synonym_rows, _distances(vectors, synonym_rows) > recipe.gamma, -recipe.weights[1]),
            (near, _distances(vectors, near) >= before, -recipe.weights[2]),
        ):
            graph = _graph(pairs[active], len(vectors))
            cosines = _graph(pairs[active], len(vectors), 1 - _distances(vectors, pairs[active]))
            update += weight * (vectors * cosines.sum(1)[:, None] - graph @ vectors)
            count += graph.sum(1)
        vectors = unit_length(vectors + update / np.maximum(count, 1)[:, None])
    result[rows] = vectors
    return result


def neighbours(vectors: NDArray, rho: float) -> NDArray[np.int64]:
    """The unordered pairs of vectors of length one with 1 - cosine < rho: [n, 2], in blocks of rows."""
    blocks = []
    for start in range(0, len(vectors), BLOCK):
        row, neighbour = np.nonzero(vectors[start : start + BLOCK] @ vectors.T > 1 - rho)
        later = neighbour > row + start
        blocks.append(np.stack([row[later] + start, neighbour[later]], axis=1))
    return np.concatenate(blocks)


def _distances(vectors: NDArray, pairs: NDArray) -> NDArray:
    return 1 - np.einsum("nd,nd->n", vectors[pairs[:, 0]], vectors[pairs[:, 1]])


def _graph(pairs: NDArray, size: int, values: NDArray | None = None) -> sparse.csr_array:
    values = np.ones(len(pairs)) if values is None else values
    rows, columns = np.concatenate([pairs, pairs[:, ::-1]]).T
    return sparse.csr_array((np.concatenate([values, values]), (rows, columns)), shape=(size, size))
