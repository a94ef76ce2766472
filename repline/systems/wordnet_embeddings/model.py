"""Word vectors from a lexical graph in closed form (wnet2vec): all decayed walks, PMI+, unit rows, principal axes.

    P = M / row sums of M                                           a step, from word to word
    G = Σ_{e>=0} (α P)^e = (I - α P)^-1                             (1, 2)   all walks, each step decayed
    X_ij = max(0, log2(n G_ij / c_j)),    c_j = Σ_i G_ij            PMI+; the authors' code divides row i by c_i
    X'_i = X_i / |X_i|
    E = (X' - mean of its rows) V_d                                 V_d: the d first principal axes of X'

Nothing is trained. The paper's text has M in place of P, whose walks have no sum; P is their code. A comment in that
code has c_j, which makes X the pointwise mutual information; its loop has c_i, the sum of another column. With n words
the plain way inverts and stores n x n numbers. The streamed way makes the rows of G a few at a time, keeps the few per
cent of PMI+ that are not zero, and takes the principal axes of that sparse X.

Notation: n words, d `dimensions`. M is `relations` [n, n], α `alpha` of `Walks`, X `affinities` [n, n], X' `unit_rows`,
E `reduce` [n, d]; words are compared by the cosine of rows of E.

P and G lie in `repline.algebra.walks`, V_d in `repline.algebra.principal_components`; an autoencoder in place of V_d in
`repline.systems.wordnet_embeddings.autoencoder`.

Source: Saedi, Branco, Rodrigues & Silva 2018, "WordNet Embeddings", section 3.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.algebra.principal_components import Matrix, principal_components
from repline.algebra.walks import all_walks, row_stochastic, walk_column_sums, walk_rows
from repline.errors import InputError
from repline.systems.wordnet_embeddings.settings import Components, Walks

AS_PUBLISHED, PUBLISHED_COMPONENTS = Walks(), Components()
DENSE_UP_TO = 1000  # words; beyond, the streamed way is the faster one
FLOAT64_UP_TO = 13_000  # words, in the dense way
ROWS = 4096  # of a sparse matrix at a time


def affinities(relations: sparse.csr_matrix, recipe: Walks = AS_PUBLISHED, *, threads: int = 1) -> Matrix:
    """X [n, n]: how much more often decayed walks from word i end in word j than walks from anywhere do.

        X[i, j] = max(0, log2(n G[i, j] / c_j)),    c_j = sum over i of G[i, j]

    This is the positive pointwise mutual information of p(i, j) = G[i, j] / (n r) wherever all rows of G have the same
    sum r, as they have (1 / (1 - alpha)) in a graph without dead ends.

    Args:
        relations: M [n, n], non-negative with a zero diagonal.
        recipe: the decay alpha, the matrix P of a step, whether PMI is taken of G, and how it is computed.
        threads: of the streamed way.

    Returns:
        float64 or float32 dense (the dense way, and G itself), or float32 sparse.

    Raises:
        InputError: an alpha or matrix for which the walks have no sum, or an adjacency matrix for the streamed way
            (which has no bound for the error of a block there).

    Source: Saedi et al. 2018, section 3, which has no formula of PMI+; their published code divides row i by c_i.
    """
    words = relations.shape[0]
    alpha, steps, pmi, method = recipe.alpha, recipe.steps, recipe.pmi, recipe.method
    if method == "streamed" and steps != "stochastic":
        raise InputError("the streamed way needs stochastic steps; take the dense way for an adjacency matrix")
    if method == "streamed" or (method == "auto" and steps == "stochastic" and words > DENSE_UP_TO):
        stochastic = row_stochastic(relations)
        return _streamed_pmi(stochastic, alpha, threads) if pmi else _streamed(stochastic, alpha, threads)
    matrix = row_stochastic(relations) if steps == "stochastic" else relations
    dtype = np.float64 if words <= FLOAT64_UP_TO else np.float32
    walks = all_walks(matrix, alpha, dtype=dtype, diverging=steps == "adjacency_inverted")
    return positive_pmi(walks) if pmi else walks


def positive_pmi(walks: NDArray) -> NDArray:
    """max(0, log2(n G[i, j] / c_j)), written over G [n, n]; 0 where the ratio is negative or without meaning."""
    sums = walks.sum(axis=0)
    scale = np.divide(len(walks), sums, out=np.zeros_like(sums), where=sums != 0)
    walks *= scale
    np.maximum(walks, 1, out=walks)
    return np.log2(walks, out=walks)


def unit_rows(matrix: Matrix) -> Matrix:
    """Each row divided by its Euclidean length, in a new matrix; rows of zeros stay so."""
    if isinstance(matrix, np.ndarray):
        lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))[:, None]
        return np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0)
    values = np.empty_like(matrix.data)
    for start in range(0, matrix.shape[0], ROWS):  # the matrix may have 10^8 values
        pointers = matrix.indptr[start : start + ROWS + 1]
        part = slice(pointers[0], pointers[-1])
        row = np.repeat(np.arange(len(pointers) - 1), np.diff(pointers))
        lengths = np.sqrt(np.bincount(row, matrix.data[part].astype(np.float64) ** 2, len(pointers) - 1))
        values[part] = matrix.data[part] / np.where(lengths > 0, lengths, 1)[row]
    return sparse.csr_matrix((values, matrix.indices, matrix.indptr), matrix.shape)


def reduce(matrix: Matrix, recipe: Components = PUBLISHED_COMPONENTS, *, threads: int = 1) -> NDArray[np.float32]:
    """Affinities in d dimensions.

    Args:
        matrix: X [n, n], as of `affinities`.
        recipe: d, and what is done to the rows before.

    Returns:
        float32 [n, d].

    Source: Saedi et al. 2018, section 3.
    """
    matrix = unit_rows(matrix) if recipe.unit_length else matrix
    if recipe.dimensions is None:
        return (matrix if isinstance(matrix, np.ndarray) else matrix.toarray()).astype(np.float32)
    matrix = matrix.astype(np.float32, copy=False)
    scores, _, _ = principal_components(
        matrix, min(recipe.dimensions, matrix.shape[0]), centre=recipe.centre, seed=recipe.seed, threads=threads
    )
    return scores.astype(np.float32, copy=False)


def _streamed(stochastic: sparse.csr_matrix, alpha: float, threads: int) -> NDArray[np.float32]:
    walks = np.empty(stochastic.shape, np.float32)
    for first, rows in walk_rows(stochastic, alpha, threads=threads):
        walks[first : first + rows.shape[1]] = rows.T
    return walks


def _streamed_pmi(stochastic: sparse.csr_matrix, alpha: float, threads: int) -> sparse.csr_matrix:
    nodes = stochastic.shape[0]
    scale = (nodes / walk_column_sums(stochastic, alpha)).astype(np.float32)[:, None]
    columns, values, counts = [], [], []
    for _, rows in walk_rows(stochastic, alpha, threads=threads):
        rows *= scale
        flat = np.ascontiguousarray(rows.T).ravel()  # one row of G after another
        cells = np.flatnonzero(flat > 1)
        columns.append((cells % nodes).astype(np.int32))
        values.append(np.log2(flat[cells]))
        counts.append(np.bincount(cells // nodes, minlength=rows.shape[1]))
    pointers = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    index = np.int32 if pointers[-1] <= np.iinfo(np.int32).max else np.int64
    return sparse.csr_matrix(
        (np.concatenate(values), np.concatenate(columns).astype(index, copy=False), pointers.astype(index)),
        shape=(nodes, nodes),
    )
