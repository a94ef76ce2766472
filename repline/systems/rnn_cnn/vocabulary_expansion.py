"""Vectors in the learnt space for words that training did not have, and the pre-trained vectors it begins with."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError


def first_vectors(
    words: Sequence[str], index: Mapping[str, int], matrix: NDArray[np.floating], seed: int = 0
) -> NDArray[np.float32]:
    """The pre-trained vectors of words [V, d]; those without one are drawn with the others' mean and deviation.

    Args:
        index: word -> row of matrix.

    Raises:
        InputError: no word has a vector, or a vector is not finite.
    """
    rows = np.array([index.get(word, -1) for word in words])
    if (rows < 0).all():
        raise InputError("none of the words of the text has a pre-trained vector; are the vectors of another language?")
    known = np.asarray(matrix[rows[rows >= 0]], np.float32)
    if not np.isfinite(known).all():
        bad = np.array(words)[rows >= 0][~np.isfinite(known).all(1)][0]
        raise InputError(f"the pre-trained vector of {str(bad)!r} is not finite (NaN or infinity)")
    found = np.random.default_rng(seed).normal(known.mean(0), known.std(0), (len(words), matrix.shape[1]))
    found[rows >= 0] = known
    return found.astype(np.float32)


def expansion(pretrained: NDArray[np.floating], learnt: NDArray[np.floating]) -> NDArray[np.float64]:
    """W [d', d] with the least sum of squares of x_w W - E(w), over words that have both vectors; no bias.

    Args:
        pretrained: x, [n, d']; learnt: E, [n, d].

    Source: Kiros et al. 2015, section 2.2; Tang et al. 2018, section 3.
    """
    x, e = (np.asarray(side, np.float64) for side in (pretrained, learnt))
    return np.linalg.lstsq(x, e, rcond=None)[0]
