"""Vectors of unit length."""

import numpy as np
from numpy.typing import NDArray


def unit_rows(vectors: NDArray, least: float = 0.0) -> NDArray[np.floating]:
    """Divide each row by its Euclidean norm.

    Args:
        vectors: [n, d].
        least: rows that are no longer become zeros.

    Returns:
        [n, d], in the precision of the lengths.
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros(vectors.shape, lengths.dtype), where=lengths > least)
