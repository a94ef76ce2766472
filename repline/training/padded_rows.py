"""Lists of numbers as one array."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def padded_rows(rows: Sequence[Sequence[int]], fill: int, kind: type[np.integer] = np.int64) -> NDArray[np.integer]:
    """Lists side by side: [N, T], `fill` behind their ends, where T is the longest.

    Args:
        rows: N lists of numbers.
        fill: the number of nothing.
        kind: of the numbers.
    """
    lengths = np.array([len(row) for row in rows], np.int64)
    padded = np.full((len(rows), lengths.max(initial=0)), fill, kind)
    padded[np.arange(padded.shape[1]) < lengths[:, None]] = [number for row in rows for number in row]
    return padded
