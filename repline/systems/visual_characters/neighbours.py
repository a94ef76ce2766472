"""The characters whose bitmaps or vectors lie nearest to those of a character, and a picture of them."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.glyphs.bitmaps import Bitmaps, different_pixels

GAP = 4  # pixels between bitmaps


def nearest_in_pixels(bitmaps: Bitmaps, rows: Sequence[int], among: Sequence[int], number: int) -> list[list[int]]:
    """Rows of the bitmaps `among` all that differ in the fewest pixels: [k][number], the nearest first."""
    distances = different_pixels(bitmaps, rows)[:, list(among)]
    return _nearest(distances.astype(float), rows, among, number)


def nearest_in_vectors(table: Tensor, rows: Sequence[int], among: Sequence[int], number: int) -> list[list[int]]:
    """The same by the cosine of the vectors [n, d]."""
    unit = torch.nn.functional.normalize(table.double(), dim=1)
    distances = -(unit[list(rows)] @ unit[list(among)].T)
    return _nearest(distances.numpy(), rows, among, number)


def overlap(one: Sequence[Sequence[int]], two: Sequence[Sequence[int]]) -> float:
    """The mean share of the neighbours of one list that are among those of the other."""
    return float(np.mean([len(set(a) & set(b)) / len(a) for a, b in zip(one, two, strict=True)]))


def picture(bitmaps: Bitmaps, rows: Sequence[Sequence[int | None]]) -> NDArray[np.int64]:
    """Bitmaps side by side in lines: 1 where there is ink; None leaves a gap.

    Returns:
        [lines * (s + GAP), places * (s + GAP)].
    """
    step = bitmaps.size + GAP
    canvas = np.zeros((len(rows) * step, max(map(len, rows)) * step), dtype=np.int64)
    for line, places in enumerate(rows):
        for column, row in enumerate(places):
            if row is not None:
                top, left = line * step, column * step
                canvas[top : top + bitmaps.size, left : left + bitmaps.size] = bitmaps.pixels[row]
    return canvas


def _nearest(
    distances: NDArray[np.floating], rows: Sequence[int], among: Sequence[int], number: int
) -> list[list[int]]:
    found = []
    for row, line in zip(rows, distances, strict=True):
        order = [among[place] for place in np.argsort(line, kind="stable")[: number + 1]]
        found.append([one for one in order if one != row][:number])
    return found
