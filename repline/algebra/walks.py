"""All walks on a graph, each step decayed: (I - alpha P)^-1, whole or a block of rows at a time.

P is row-stochastic, P >= 0 with rows that sum to 1 (or to 0, for a node without edges). Then I - alpha P is strictly
diagonally dominant, its inverse has the norm 1 / (1 - alpha), and a residual says how far a solution is off.
"""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import linalg, sparse
from scipy.sparse.csgraph import reverse_cuthill_mckee

from repline.errors import InputError

PILOT = 16  # rows on which the number of steps is found
CACHED = 16_000  # a block of so few nodes stays in a core's cache; larger graphs are reordered first


def row_stochastic(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    """P = M / (row sums of M), float64 [n, n]; empty rows stay empty. Source: Saedi et al. 2018, their code."""
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    inverse = np.divide(1.0, sums, out=np.zeros_like(sums, dtype=np.float64), where=sums > 0)
    return (sparse.diags(inverse) @ matrix).tocsr()


def all_walks(
    steps: sparse.csr_matrix, alpha: float, *, dtype: DTypeLike = np.float64, diverging: bool = False
) -> NDArray:
    """The sum of all decayed walks, as a dense matrix.

        G = sum over e >= 0 of (alpha P)^e = (I - alpha P)^-1

    Args:
        steps: P [n, n], non-negative; a stochastic matrix, or an adjacency matrix M.
        alpha: the decay, from 0 to below 1.
        diverging: compute the inverse even where the series has no limit (alpha times the spectral radius of P is 1 or
            more), and the inverse is then not its sum.

    Returns:
        G [n, n] in C order. Takes 2 n^3 flop and twice the memory of G.

    Raises:
        InputError: alpha out of range, or a series without a limit.

    Source: Saedi et al. 2018, eq. 1 and 2.
    """
    check_alpha(alpha)
    radius = spectral_radius(steps)
    if alpha * radius >= 1 and not diverging:
        raise InputError(
            f"the walks on this graph have no sum: the decay {alpha} times the spectral radius {radius:.4g} of its "
            f"matrix is 1 or more; make its rows sum to 1, or take a decay below {1 / radius:.4g}"
        )
    system = np.asfortranarray((steps * -alpha).toarray().astype(dtype, copy=False))
    system[np.diag_indices_from(system)] += 1
    return np.ascontiguousarray(_inverse(system))


def walk_column_sums(stochastic: sparse.csr_matrix, alpha: float) -> NDArray[np.float64]:
    """c = G'1 [n], by x <- alpha P'x + 1 until nothing is added; G itself is never formed."""
    check_alpha(alpha)
    transposed = (stochastic.T * alpha).tocsr()
    total = added = np.ones(stochastic.shape[0])
    while added.sum() > 1e-14 * total.sum():
        added = transposed @ added
        total = total + added
    return total


def walk_rows(
    stochastic: sparse.csr_matrix,
    alpha: float,
    *,
    block: int = 16,
    tolerance: float = 3e-5,
    dtype: DTypeLike = np.float32,
    threads: int = 1,
) -> Iterator[tuple[int, NDArray]]:
    """The rows of G in blocks, without n^2 memory: the columns of Y in (I - alpha P') Y = E, E the unit vectors.

    By Chebyshev's iteration, which for a symmetric graph (its P has real eigenvalues in [-1, 1]) gains
    alpha / (1 + sqrt(1 - alpha^2)) a step (0.45 for alpha = 0.75, where the series itself gains 0.75):

        Y_k+1 = w_k+1 (alpha P'Y_k + E - Y_k-1) + Y_k-1,    w_1 = 1, w_2 = 1 / (1 - alpha^2 / 2),
        w_k+1 = 1 / (1 - alpha^2 w_k / 4)

    until ||alpha P'Y + E - Y||_1 <= (1 - alpha) tolerance, which bounds the error of every row of G. Where this does
    not converge (a directed graph), the series is summed (every w = 1), with as many terms as the tolerance needs.

    Args:
        stochastic: P [n, n], rows that sum to 1 or 0.
        block: number of rows of G at a time.
        tolerance: largest error of a row of G, as the sum of absolute differences, of a row sum of 1 / (1 - alpha). The
            series reaches it after 40 terms at alpha = 0.75.
        threads: number of blocks at a time; the result does not depend on it.

    Yields:
        first row, and those rows of G as the columns of [n, block].
    """
    check_alpha(alpha)
    nodes = stochastic.shape[0]
    order = np.arange(nodes)
    if nodes > CACHED:  # store neighbours near each other
        order = reverse_cuthill_mckee((stochastic + stochastic.T).tocsr(), symmetric_mode=True).astype(np.int64)
    position = np.argsort(order)
    transposed = (stochastic.T * alpha).tocsr()[order][:, order].astype(dtype)
    transposed.sort_indices()
    max_steps = 1 + math.ceil(math.log(tolerance * (1 - alpha)) / math.log(alpha)) if alpha > 0 else 1
    goal = (1 - alpha) * tolerance
    pilot = position[np.unique(np.linspace(0, nodes - 1, min(PILOT, nodes)).astype(np.int64))]
    _, reached = _chebyshev(transposed, alpha, pilot, goal, 1, max_steps)

    def rows(first: int) -> tuple[int, NDArray]:
        block_nodes = position[first : first + block]
        if reached is not None:
            solution, steps = _chebyshev(transposed, alpha, block_nodes, goal, reached, max_steps)
            if steps is not None:
                return first, solution[position]
        return first, _series(transposed, block_nodes, max_steps)[position]

    with ThreadPoolExecutor(threads) as pool:
        starts = range(0, nodes, block)
        for group in range(0, len(starts), 4 * threads):  # a few blocks ahead, not all of G
            yield from pool.map(rows, starts[group : group + 4 * threads])


def spectral_radius(matrix: sparse.csr_matrix, *, steps: int = 2000, tolerance: float = 1e-10) -> float:
    """The largest modulus of an eigenvalue of a non-negative matrix, by the power method on I + M (no oscillation)."""
    vector = np.ones(matrix.shape[0])
    radius = 0.0
    for _ in range(steps):
        grown = matrix @ vector
        last, radius = radius, grown.sum() / vector.sum()  # every vector is non-negative
        if abs(radius - last) <= tolerance * max(radius, 1.0):
            break
        vector = vector + grown
        vector /= vector.sum()
    return float(radius)


def check_alpha(alpha: float) -> None:
    """InputError unless 0 <= alpha < 1."""
    if not 0 <= alpha < 1:
        raise InputError(f"expected a decay alpha from 0 to below 1, found {alpha}")


def _inverse(system: NDArray) -> NDArray:
    """The inverse of `system`, which is in Fortran order and is overwritten.

    scipy.linalg.inv looks for structure first, and in its release 1.17 overwriting a symmetric matrix crashes.
    """
    factor, invert, size = linalg.get_lapack_funcs(("getrf", "getri", "getri_lwork"), (system,))
    work, _ = size(len(system))
    triangles, pivots, failed = factor(system, overwrite_a=True)
    if not failed:
        system, failed = invert(triangles, pivots, lwork=int(work.real), overwrite_lu=True)
    if failed:
        raise InputError("the matrix of the walks on this graph is singular; take another decay alpha")
    return system


def _chebyshev(
    transposed: sparse.csr_matrix, alpha: float, nodes: NDArray, goal: float, min_steps: int, max_steps: int
) -> tuple[NDArray, int | None]:
    """The solution and the steps it took, at least `min_steps`; None for steps where `max_steps` were not enough."""
    unit = (nodes, np.arange(len(nodes)))
    current = np.zeros((transposed.shape[0], len(nodes)), transposed.dtype)
    current[unit] = 1
    previous = np.zeros_like(current)
    weight = 1.0
    for step in range(1, max_steps + 1):
        following = transposed @ current
        following[unit] += 1
        if step >= min_steps and np.abs(following - current).sum(axis=0).max() <= goal:
            return current, step
        weight = 1 / (1 - alpha**2 / 2) if step == 1 else 1 / (1 - alpha**2 * weight / 4)
        following -= previous
        following *= transposed.dtype.type(weight)
        following += previous
        previous, current = current, following
    return current, None


def _series(transposed: sparse.csr_matrix, nodes: NDArray, terms: int) -> NDArray:
    unit = (nodes, np.arange(len(nodes)))
    total = np.zeros((transposed.shape[0], len(nodes)), transposed.dtype)
    total[unit] = 1
    for _ in range(terms):
        total = transposed @ total
        total[unit] += 1
    return total
