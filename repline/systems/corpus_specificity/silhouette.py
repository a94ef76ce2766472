"""How well vectors of known categories lie together, without any clustering."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def silhouette(vectors: NDArray, categories: Sequence[str] | NDArray) -> float:
    """The mean of `silhouettes`, from -1 to 1: how near words are to their category, beside the nearest other one."""
    return float(silhouettes(vectors, categories).mean())


def silhouettes(vectors: NDArray, categories: Sequence[str] | NDArray) -> NDArray[np.float64]:
    """The silhouette coefficients of vectors under the cosine distance d = 1 - cos.

        s(i) = (b(i) - a(i)) / max(a(i), b(i)),    0 where both are 0 or i is alone in its category

    a(i) is the mean distance to the other words of i's category, b(i) the smallest, over the other categories, of the
    mean distances to a category.

    Args:
        vectors: [n, d]; a vector of zeros is at distance 1 from all others.
        categories: [n], at least two different ones.

    Returns:
        [n] from -1 to 1.

    Raises:
        ValueError: not one category for each vector, or fewer than two categories.

    Source: Rousseeuw 1987, "Silhouettes"; Altszyler, Sigman & Fernández Slezak 2018, eq. (2).
    """
    labels = np.unique(np.asarray(categories), return_inverse=True)[1]
    number = int(labels.max()) + 1 if len(labels) else 0
    if len(labels) != len(vectors) or number < 2:
        raise ValueError(f"expected {len(vectors)} labels of two or more categories, found {len(labels)} of {number}")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    directions = np.divide(vectors, lengths, out=np.zeros(vectors.shape), where=lengths > 0)
    distances = 1 - np.clip(directions @ directions.T, -1, 1)
    np.fill_diagonal(distances, 0)
    members = np.eye(number)[labels]  # [n, categories]
    sizes = members.sum(axis=0)
    sums = distances @ members  # [n, categories]
    own = np.arange(len(labels)), labels
    alone = sizes[labels] == 1
    a = sums[own] / np.maximum(sizes[labels] - 1, 1)
    others = sums / sizes
    others[own] = np.inf
    b = others.min(axis=1)
    larger = np.maximum(a, b)
    return np.divide(b - a, larger, out=np.zeros(len(labels)), where=(larger > 0) & ~alone)
