"""GloVe: vectors whose products are the logarithms of co-occurrence counts, fitted to the cells that are not zero.

Notation: V words, d dimensions. x, y [V, d] are the vectors of words and of contexts, b, c [V] their biases.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.caches.compiled_loops import ON_DISK
from repline.errors import InputError
from repline.vectors.recipes import Glove

DEFAULTS = Glove()


def weight(counts: NDArray, maximum: float = 100.0, alpha: float = 0.75) -> NDArray[np.float64]:
    """f(m) = min(1, (m / m_max)^alpha). Source: Pennington et al. 2014, eq. (9)."""
    return np.minimum(1.0, (np.asarray(counts, np.float64) / maximum) ** alpha)


def loss(
    x: NDArray,
    y: NDArray,
    b: NDArray,
    c: NDArray,
    counts: sparse.coo_array,
    maximum: float = 100.0,
    alpha: float = 0.75,
) -> float:
    """L = sum over m_ij > 0 of f(m_ij) (x_i . y_j + b_i + c_j - log m_ij)^2.

    Source: Pennington et al. 2014, eq. (8); Wang et al. 2018, eq. (6).
    """
    rows, columns = counts.row, counts.col
    error = (x[rows] * y[columns]).sum(axis=1) + b[rows] + c[columns] - np.log(counts.data)
    return float((weight(counts.data, maximum, alpha) * error**2).sum())


def train_glove(
    counts: sparse.sparray,
    recipe: Glove = DEFAULTS,
    *,
    seed: int = 0,
    report: Callable[[int, float], None] | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Fit GloVe by AdaGrad, a cell at a time in an order that is drawn for each iteration.

    As the program of GloVe does: vectors and biases start in (-0.5, 0.5) / (d + 1), the sums of squares at 1, a step is
    learning_rate f(m) (x . y + b + c - log m) times the other vector (without the factor 2 of the derivative), and the
    sums are those of the squared steps, before they are divided. One thread: a seed gives the same bits every time.

    Args:
        counts: [V, V], entries > 0 are fitted.
        recipe: how long, and how many dimensions.
        seed: of the first vectors and of the order of the cells.
        report: called with the iteration and the mean loss of a cell during it.

    Returns:
        x [V, d], y [V, d], b [V], c [V]; the vectors of the words are x + y.

    Raises:
        InputError: no entry, or one that is negative or not finite.
        FloatingPointError: the fit diverged.

    Source: Pennington et al. 2014, section 4.2; https://github.com/stanfordnlp/GloVe, glove.c
    """
    entries = counts.tocoo()
    data = np.asarray(entries.data, np.float64)
    is_nonzero = data != 0
    if not is_nonzero.any() or not np.isfinite(data).all() or data.min() < 0:
        raise InputError("GloVe: expected co-occurrence counts above zero")
    cells = (
        entries.row[is_nonzero].astype(np.int32),
        entries.col[is_nonzero].astype(np.int32),
        np.log(data[is_nonzero]).astype(np.float32),
        weight(data[is_nonzero], recipe.maximum, recipe.alpha).astype(np.float32),
    )
    rng = np.random.default_rng(seed)
    start = [(rng.random((size, recipe.dimensions + 1)) - 0.5) / (recipe.dimensions + 1) for size in counts.shape]
    x, y = (matrix.astype(np.float32) for matrix in start)
    x_squares, y_squares = np.ones_like(x), np.ones_like(y)
    for iteration in range(recipe.iterations):
        order = rng.permutation(len(cells[0]))
        rows, columns, logs, weights = (part[order] for part in cells)
        rate = np.float32(recipe.learning_rate)
        total = _epoch(rows, columns, logs, weights, x, y, x_squares, y_squares, rate)
        if not np.isfinite(total):
            raise FloatingPointError("GloVe: the loss is not finite; take a smaller learning_rate")
        if report:
            report(iteration, total / len(order))
    return x[:, :-1], y[:, :-1], x[:, -1], y[:, -1]


@numba.njit(cache=ON_DISK, fastmath={"reassoc", "contract", "nsz"}, error_model="numpy", boundscheck=False)
def _epoch(
    rows: Any, columns: Any, logs: Any, weights: Any, x: Any, y: Any, x_squares: Any, y_squares: Any, rate: Any
) -> float:
    """One step a cell; the last column of x and y is the bias, whose partner is 1."""
    d = x.shape[1] - 1
    total = 0.0
    for cell in range(rows.shape[0]):
        xi, yj = x[rows[cell]], y[columns[cell]]
        gi, gj = x_squares[rows[cell]], y_squares[columns[cell]]
        error = xi[d] + yj[d] - logs[cell]
        for k in range(d):
            error += xi[k] * yj[k]
        step = weights[cell] * error
        total += step * error
        step *= rate
        for k in range(d):
            x_gradient, y_gradient = step * yj[k], step * xi[k]
            xi[k] -= x_gradient / np.sqrt(gi[k])
            yj[k] -= y_gradient / np.sqrt(gj[k])
            gi[k] += x_gradient * x_gradient
            gj[k] += y_gradient * y_gradient
        xi[d] -= step / np.sqrt(gi[d])
        yj[d] -= step / np.sqrt(gj[d])
        gi[d] += step * step
        gj[d] += step * step
    return total
