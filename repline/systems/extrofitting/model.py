"""Extrofitting: re-project a whole table of word vectors by linear discriminant analysis over a synonym lexicon.

    S_W = Σ_c Σ_{i in c} (x_i - μ_c)(x_i - μ_c)ᵀ / (V - C)
    S_B = Σ_c n_c (μ_c - μ)(μ_c - μ)ᵀ / (C - 1)
    S_B u = λ S_W u,    Uᵀ S_W U = I,    y = Uᵀ (x - μ)

With all d directions kept, U Uᵀ = S_W^-1: S_B only rotates the result, and the method is whitening by S_W,

    y = Rᵀ (x - μ),    R Rᵀ = S_W^-1

Words outside the lexicon are classes of their own: they add nothing to S_W, and are moved like the others. The paper
first appends the mean of each vector as one more coordinate; `expanded` does, and no cosine changes by it unless the
means are averaged over neighbours that are no classes. Its S_B lacks the class sizes n_c.

Notation: V words, d dimensions, x the rows of `matrix` [V, d], C classes c of sizes n_c and means μ_c, μ the mean of
all. A lexicon is an array of directed edges (i, j), "j is a neighbour of i", as rows of the matrix. S_W and S_B are
`within_class_covariance` and `between_class_covariance` [d, d], (U, λ) `discriminants`, R `whitening` [d, d], y
`project` [V, d].

Edges lie in `repline.vectors.retrofitting`, with the method that this one is compared with.

Source: Jo and Choi 2018, "Extrofitting: Enriching Word Representation and its Vector Space with Semantic Lexicons",
section 3, equations 2 to 4.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from repline.vectors.retrofitting import distinct_edges

Labels = Literal["notebook", "components", "edges"]
BLOCK = 65536  # rows, or edges, in float64 at a time
ROUNDING = 1e-10  # a deviation this much smaller than the largest is what rounding leaves of zero
TOLERANCE = 1e-4  # of a singular value of the within-class data in units of each dimension's deviation


def extrofit(matrix: NDArray, edges: NDArray, *, labels: Labels = "notebook", seed: int = 0) -> NDArray:
    """Extrofitted vectors: (x - mu) R with R R^T the inverse of the lexicon's covariance.

    Args:
        matrix: [V, d] float; read only.
        edges: [E, 2] int, rows (word, neighbour).
        labels: where the covariance comes from: classes labelled as the authors' program does it (`notebook_labels`,
            in an order drawn by `seed`), the connected `components` of the lexicon, or the `edges` themselves, which
            needs neither classes nor an order.

    Returns:
        [V, d] of the type of `matrix`, computed in float64.

    Raises:
        ValueError: no two words of the matrix are neighbours, or all words are one class.
    """
    if labels == "edges":
        covariance = edge_covariance(matrix, edges)
    else:
        words = len(matrix)
        classes = notebook_labels(edges, words, seed) if labels == "notebook" else component_labels(edges, words)
        covariance = within_class_covariance(matrix, classes)
    return project(matrix, whitening(covariance))


def notebook_labels(edges: NDArray, words: int, seed: int = 0) -> NDArray[np.int64]:
    """Classes as the authors' program gives them: [V], they depend on the order of the visits.

    The words are visited in an arbitrary order, t = 1, 2, ... A word without neighbours gets label t; otherwise all
    its neighbours do, not the word itself. Later visits overwrite; a word never visited keeps 0. So a label is the last
    visit that concerns the word.

    Source: the notebook of github.com/HwiyeolJo/Extrofitting (the paper does not say how words get their classes).
    """
    edges = distinct_edges(edges, words)
    visit = np.random.default_rng(seed).permutation(words) + 1  # [V], t of each word
    labels = visit.copy()
    labels[edges[:, 0]] = 0
    np.maximum.at(labels, edges[:, 1], visit[edges[:, 0]])
    return labels


def depends_on_pairs(labels: NDArray) -> bool:
    """Whether `notebook_labels` have a class of several words other than 0, that of all words that are no neighbour.

    Without one, every pairing of the same words has the same classes.
    """
    sizes = np.bincount(labels)
    return bool((sizes[1:] > 1).any())


def component_labels(edges: NDArray, words: int) -> NDArray[np.int64]:
    """The connected component of the lexicon that each word is in: [V]."""
    edges = distinct_edges(edges, words)
    graph = sparse.csr_array((np.ones(len(edges), np.int8), (edges[:, 0], edges[:, 1])), shape=(words, words))
    return sparse.csgraph.connected_components(graph, directed=False)[1].astype(np.int64)


def permuted_labels(labels: NDArray, seed: int, among: NDArray | None = None) -> NDArray:
    """The control: the same class sizes over other words, all or only those of the rows `among`: [V]."""
    result = np.array(labels)
    rows = np.arange(len(labels)) if among is None else np.unique(among)
    result[rows] = np.random.default_rng(seed).permutation(result[rows])
    return result


def within_class_covariance(matrix: NDArray, labels: NDArray) -> NDArray[np.float64]:
    """S_W: [d, d]. Only words that share a class are read: O(words in such classes * d^2), no loop over classes.

    Args:
        matrix: [V, d].
        labels: [V], any whole numbers.

    Raises:
        ValueError: every word is its own class (S_W = 0), or all words are one class (S_B = 0).
    """
    members, group, sizes = _groups(labels)
    means = _group_means(matrix, members, group, sizes)
    scatter = np.zeros((matrix.shape[1],) * 2)
    for block in _blocks(len(members)):
        centred = _float64(matrix, members[block]) - means[group[block]]  # [block, d]
        scatter += centred.T @ centred
    return scatter / (len(members) - len(sizes))  # words alone in their class count in V and in C alike


def between_class_covariance(matrix: NDArray, labels: NDArray) -> NDArray[np.float64]:
    """S_B: [d, d], as (total scatter - within scatter) / (C - 1); raises as `within_class_covariance` does."""
    members, _, sizes = _groups(labels)
    shared, classes = len(members) - len(sizes), len(labels) - len(members) + len(sizes)
    within = within_class_covariance(matrix, labels) * shared
    return (total_covariance(matrix) * len(matrix) - within) / (classes - 1)


def total_covariance(matrix: NDArray) -> NDArray[np.float64]:
    """sum_i (x_i - mu)(x_i - mu)^T / V: [d, d]. Whitening by it uses no lexicon: the control of every number here."""
    mean = column_means(matrix)
    scatter = np.zeros((matrix.shape[1],) * 2)
    for block in _blocks(len(matrix)):
        centred = _float64(matrix, block) - mean
        scatter += centred.T @ centred
    return scatter / len(matrix)


def edge_covariance(matrix: NDArray, edges: NDArray) -> NDArray[np.float64]:
    """The mean of (x_i - x_j)(x_i - x_j)^T over all edges: [d, d], in place of S_W, without classes or an order.

    Raises:
        ValueError: there is no edge.
    """
    edges = distinct_edges(edges, len(matrix))
    if not len(edges):
        raise ValueError("no two words of the vectors are neighbours in the lexicon, so there is no covariance")
    scatter = np.zeros((matrix.shape[1],) * 2)
    for block in _blocks(len(edges)):
        apart = _float64(matrix, edges[block, 0]) - _float64(matrix, edges[block, 1])  # [block, d]
        scatter += apart.T @ apart
    return scatter / len(edges)


def whitening(covariance: NDArray, tolerance: float = TOLERANCE) -> NDArray[np.float64]:
    """R with R R^T = S^-1: [d, d], D^-1 K^-1/2 for the deviations D and the correlation matrix K of S.

    The root of K is the symmetric one, which depends on no sign or order of eigenvectors. Directions whose deviation
    is at most `tolerance`, in units of each dimension's own, are dropped, as scikit-learn's solver does: a coordinate
    that is a linear function of the others, or constant inside every class, changes no cosine.

    Raises:
        ValueError: the covariance is zero or not finite.
    """
    if not np.isfinite(covariance).all() or not np.diag(covariance).any():
        raise ValueError("the covariance within the classes is zero or not finite: nothing to whiten by")
    deviation = np.sqrt(np.diag(covariance))
    varies = deviation > ROUNDING * deviation.max()
    scale = np.where(varies, 1 / np.where(varies, deviation, 1), 0)
    variances, directions = linalg.eigh(scale[:, None] * covariance * scale)
    independent = variances > tolerance**2
    return (
        scale[:, None] * (directions[:, independent] / np.sqrt(variances[independent])) @ directions[:, independent].T
    )


def discriminants(within: NDArray, between: NDArray) -> tuple[NDArray, NDArray]:
    """U and lambda of S_B u = lambda S_W u with U^T S_W U = I: [d, d] and [d], by decreasing lambda.

    S_W^-1 S_B is not symmetric, so this is the generalised problem and no eigendecomposition of that product.

    Raises:
        ValueError: S_W is not positive definite.

    Source: Jo and Choi 2018, eq. (2)-(4), with the class sizes that eq. (2) lacks.
    """
    try:
        values, directions = linalg.eigh(between, within)
    except linalg.LinAlgError:
        raise ValueError("S_W is singular; use whitening, or drop the dependent dimensions") from None
    return directions[:, ::-1], values[::-1]


def project(matrix: NDArray, directions: NDArray) -> NDArray:
    """(x - mu) @ directions for every word: [V, d] by [d, r] -> [V, r], in the type of `matrix`."""
    offset = column_means(matrix) @ directions
    result = np.empty((len(matrix), directions.shape[1]), matrix.dtype)
    for block in _blocks(len(matrix)):
        result[block] = _float64(matrix, block) @ directions - offset
    return result


def expanded(matrix: NDArray, edges: NDArray | None = None) -> NDArray:
    """The paper's steps 1 and 2: append r_i, the mean of the word's own entries, as one more coordinate: [V, d + 1].

    Args:
        matrix: [V, d].
        edges: [E, 2]; with them r_i becomes the mean of r over the word and its neighbours, without them it stays.

    Source: Jo and Choi 2018, sections 3.1 and 3.2.
    """
    means = np.asarray(matrix, dtype=np.float64).mean(1)  # [V]
    if edges is not None:
        edges = distinct_edges(edges, len(matrix))
        total = np.bincount(edges[:, 0], means[edges[:, 1]], minlength=len(matrix))
        means = (means + total) / (1 + np.bincount(edges[:, 0], minlength=len(matrix)))
    return np.column_stack([matrix, means.astype(matrix.dtype)])


def column_means(matrix: NDArray) -> NDArray[np.float64]:
    """The mean of all rows, mu: [d]."""
    return sum(_float64(matrix, block).sum(0) for block in _blocks(len(matrix))) / len(matrix)


def _groups(labels: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Rows that share their class with another: rows [M], their class [M] as 0.., class sizes [C]."""
    labels = np.asarray(labels)
    _, group, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if len(sizes) == 1:
        raise ValueError("all words are one class, so nothing separates classes; give a lexicon with several groups")
    if len(sizes) == len(labels):
        raise ValueError("every word is its own class, so there is no variance within classes; is the lexicon empty?")
    shared = sizes > 1
    members = np.flatnonzero(shared[group])
    return members, (np.cumsum(shared) - 1)[group[members]], sizes[shared]


def _group_means(matrix: NDArray, members: NDArray, group: NDArray, sizes: NDArray) -> NDArray[np.float64]:
    sums = np.zeros((len(sizes), matrix.shape[1]))
    for block in _blocks(len(members)):
        count = block.stop - block.start
        indicator = sparse.csr_array((np.ones(count), (group[block], np.arange(count))), shape=(len(sizes), count))
        sums += indicator @ _float64(matrix, members[block])
    return sums / sizes[:, None]


def _float64(matrix: NDArray, rows: NDArray | slice) -> NDArray[np.float64]:
    return np.asarray(matrix[rows], dtype=np.float64)


def _blocks(count: int) -> Iterator[slice]:
    return (slice(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK))
