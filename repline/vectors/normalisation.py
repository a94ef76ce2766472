"""Scale vectors to unit length."""

import numpy as np
from numpy.typing import NDArray


def unit_length(matrix: NDArray, smoothing: float = 0.0) -> NDArray:
    """x / sqrt(|x|^2 + smoothing): [V, d] of the type of `matrix`; a vector of zeros stays one.

    Args:
        matrix: [V, d] float; read only.
        smoothing: 1e-5 in the programs of retrofitting and extrofitting.
    """
    squares = np.einsum("vd,vd->v", matrix, matrix, dtype=np.float64) + smoothing
    inverse = np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
    return matrix * inverse[:, None].astype(matrix.dtype)
