"""Principal components of a dense or a sparse matrix, centred without filling it in."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from repline.errors import InputError

Matrix: TypeAlias = NDArray | sparse.csr_matrix
CHUNK = 16  # columns of a dense factor that a sparse product takes at a time: they stay in the cache


def principal_components(
    matrix: Matrix,
    dimensions: int,
    *,
    centre: bool = True,
    power_iterations: int = 2,
    oversampling: int = 150,
    seed: int = 0,
    threads: int = 1,
) -> tuple[NDArray, NDArray, NDArray]:
    """The rows of X in the coordinates of its d principal axes, without whitening.

        E = (X - 1 m') V_d,    m = mean of the rows of X,    V_d = the first d right singular vectors of X - 1 m'

    Where d is much smaller than X, by randomised subspace iteration: Q spans (C C')^q C Omega for C = X - 1 m' and a
    Gaussian Omega [m, d + oversampling], and the singular vectors are those of Q'C. A sparse X stays sparse: C Y is
    X Y - 1 (m'Y). Otherwise by the whole singular value decomposition.

    Args:
        matrix: X [n, m], float32 or float64; results have its type.
        dimensions: d, at most min(n, m).
        centre: whether m is subtracted; else m = 0.
        power_iterations: q.
        oversampling: columns beyond d; too few leave noise in the last axes where singular values fall slowly.
        seed: of Omega.
        threads: for sparse products; the result does not depend on it.

    Returns:
        scores E [n, d], axes V_d [m, d] (the largest entry of each is positive), singular values [d].

    Raises:
        InputError: more dimensions than X has.

    Source: Halko, Martinsson & Tropp 2011, algorithm 5.1 with 4.4.
    """
    rows, columns = matrix.shape
    if not 1 <= dimensions <= min(rows, columns):
        raise InputError(f"a matrix of {rows} x {columns} has 1 to {min(rows, columns)} components, not {dimensions}")
    mean = np.zeros(columns, matrix.dtype)
    if centre:
        mean = np.asarray(matrix.mean(axis=0, dtype=np.float64)).ravel().astype(matrix.dtype)
    width = dimensions + oversampling
    if 2 * width >= min(rows, columns):
        dense: Any = matrix
        full = (dense.toarray() if sparse.issparse(matrix) else dense) - mean
        _, values, axes = linalg.svd(full, full_matrices=False, overwrite_a=True, check_finite=False)
        axes = _signed(axes[:dimensions].T)
        return _times(matrix, threads)(axes) - mean @ axes, axes, values[:dimensions]
    forward_product, backward_product = _times(matrix, threads), _times(matrix.T, threads)

    def forward(factor: NDArray) -> NDArray:
        product = forward_product(factor)
        product -= mean @ factor
        return product

    def backward(factor: NDArray) -> NDArray:
        product = backward_product(factor)
        product -= np.outer(mean, factor.sum(axis=0))
        return product

    start = np.random.Generator(np.random.PCG64(seed)).standard_normal((columns, width), dtype=np.float32)
    basis = _orthonormal(forward(start.astype(matrix.dtype, copy=False)))
    for _ in range(power_iterations):
        basis = _orthonormal(forward(_orthonormal(backward(basis))))
    axes, triangle = linalg.qr(backward(basis), mode="economic", overwrite_a=True, check_finite=False)
    left, values, _ = linalg.svd(triangle, check_finite=False)
    axes = _signed(axes @ left[:, :dimensions])
    return forward(axes), axes, values[:dimensions]


def _times(matrix: Matrix, threads: int) -> Callable[[NDArray], NDArray]:
    """Products with one matrix. Sparse ones take their right factor in narrow chunks, each on a thread of its own."""
    if not sparse.issparse(matrix):
        return lambda factor: matrix @ factor

    def product(factor: NDArray) -> NDArray:
        result = np.empty((matrix.shape[0], factor.shape[1]), factor.dtype)

        def chunk(start: int) -> None:
            result[:, start : start + CHUNK] = matrix @ np.ascontiguousarray(factor[:, start : start + CHUNK])

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(chunk, range(0, factor.shape[1], CHUNK)))
        return result

    return product


def _orthonormal(columns: NDArray) -> NDArray:
    return linalg.qr(columns, mode="economic", overwrite_a=True, check_finite=False)[0]


def _signed(axes: NDArray) -> NDArray:
    """Each axis turned so that its largest entry is positive: its sign is otherwise a matter of rounding."""
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    return axes * np.where(largest < 0, -1, 1).astype(axes.dtype)
