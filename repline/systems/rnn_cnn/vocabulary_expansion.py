"""Pre-trained vectors that a training begins with, and vectors in the learnt space for words it did not have."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, shown


def first_vectors(
    words: Sequence[str], index: Mapping[str, int], matrix: NDArray[np.floating], seed: int = 0
) -> NDArray[np.float32]:
    """The pre-trained vectors of words [V, d]; words without one get a draw with the mean and deviation of the others.

    Args:
        index: word -> row of matrix.

    Raises:
        InputError: no word has a vector, or a vector is not finite.
    """
    rows = np.array([index.get(word, -1) for word in words])
    if (rows < 0).all():
        raise InputError("none of the words of the text has a pre-trained vector; take vectors of its language")
    with_vector = np.asarray(matrix[rows[rows >= 0]], np.float32)
    if not np.isfinite(with_vector).all():
        bad = np.array(words)[rows >= 0][~np.isfinite(with_vector).all(1)][0]
        raise InputError(f"the pre-trained vector of {shown(str(bad))} is not finite (NaN or infinity)")
    vectors = np.random.default_rng(seed).normal(with_vector.mean(0), with_vector.std(0), (len(words), matrix.shape[1]))
    vectors[rows >= 0] = with_vector
    return vectors.astype(np.float32)


def expansion(pretrained: NDArray[np.floating], learnt: NDArray[np.floating]) -> NDArray[np.float64]:
    """The map W [d', d] of pre-trained vectors into the learnt space, by least squares of x_w W - E(w); no bias.

    The sum is over the words that have both vectors.

    Args:
        pretrained: x, [n, d']; learnt: E, [n, d].

    Source: Kiros et al. 2015, section 2.2; Tang et al. 2018, section 3.
    """
    x, e = (np.asarray(side, np.float64) for side in (pretrained, learnt))
    return np.asarray(np.linalg.lstsq(x, e, rcond=None)[0], np.float64)
