"""The characters whose bitmaps or vectors lie nearest to those of a character, and a picture of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.glyphs.bitmaps import Bitmaps, different_pixels

GAP = 4  # pixels between bitmaps
NEIGHBOURS_SHOWN = 4  # neighbours of a character in the picture
NEIGHBOURS_COMPARED = 10  # neighbours of a character in the overlaps
FALLBACK_CHARACTERS = 6  # characters that are shown where there is none of `shown`


class Neighbours(NamedTuple):
    """The nearest characters of some, and how far neighbours in pixels and in vectors are the same.

    Attributes:
        pixels: the picture: a line a character, itself first and then its neighbours in every column.
        columns: what the neighbours are near in: pixels, and the vectors of each encoder.
        rows: of each line, the character itself, and its neighbours in every column.
        overlaps: by encoder, the share of the ten nearest in vectors that are among the ten nearest in pixels, of all
            characters.
    """

    pixels: list[list[int]]
    columns: list[str]
    rows: list[list[str]]
    overlaps: dict[str, float]


def neighbours(tables: Mapping[str, Tensor], bitmaps: Bitmaps, among: Sequence[int], shown: str) -> Neighbours:
    """The nearest characters in pixels and in the vectors of each encoder.

    Args:
        tables: by encoder, the vectors of the characters [n, d], in the order of the bitmaps.
        bitmaps: of all n characters.
        among: rows of the characters that neighbours are sought among.
        shown: the characters of the picture, as far as they are among these.
    """
    rows = [bitmaps.rows[character] for character in shown if bitmaps.rows.get(character) in set(among)]
    rows = rows or list(among[:FALLBACK_CHARACTERS])
    lists = {"pixels": nearest_in_pixels(bitmaps, rows, among, NEIGHBOURS_SHOWN)}
    in_pixels = nearest_in_pixels(bitmaps, among, among, NEIGHBOURS_COMPARED)
    overlaps = {}
    for name, table in tables.items():
        lists[name] = nearest_in_vectors(table, rows, among, NEIGHBOURS_SHOWN)
        overlaps[name] = overlap(nearest_in_vectors(table, among, among, NEIGHBOURS_COMPARED), in_pixels)
    lines: list[list[int | None]] = []
    texts = []
    for line, row in enumerate(rows):
        nearest = [column[line] for column in lists.values()]
        lines.append([row, *(cell for group in nearest for cell in (None, *group))])
        texts.append(["".join(bitmaps.characters[cell] for cell in group) for group in ([row], *nearest)])
    return Neighbours(picture(bitmaps, lines).tolist(), list(lists), texts, overlaps)


def nearest_in_pixels(bitmaps: Bitmaps, rows: Sequence[int], among: Sequence[int], number: int) -> list[list[int]]:
    """For each row, the rows `among` all whose bitmaps differ in the fewest pixels: k lists, the nearest first."""
    distances = different_pixels(bitmaps, rows)[:, list(among)]
    return _nearest(distances.astype(float), rows, among, number)


def nearest_in_vectors(table: Tensor, rows: Sequence[int], among: Sequence[int], number: int) -> list[list[int]]:
    """For each row, the rows `among` all whose vectors [n, d] have the largest cosines: k lists, nearest first."""
    unit = torch.nn.functional.normalize(table.double(), dim=1)
    distances = -(unit[list(rows)] @ unit[list(among)].T)
    return _nearest(distances.numpy(), rows, among, number)


def overlap(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> float:
    """The mean share of the neighbours of one list that are among those of the other."""
    return float(np.mean([len(set(a) & set(b)) / len(a) for a, b in zip(first, second, strict=True)]))


def picture(bitmaps: Bitmaps, rows: Sequence[Sequence[int | None]]) -> NDArray[np.int64]:
    """Bitmaps side by side in lines: 1 where there is ink; None leaves a gap.

    Returns:
        [lines * (s + GAP), columns * (s + GAP)].
    """
    step = bitmaps.size + GAP
    canvas = np.zeros((len(rows) * step, max(map(len, rows)) * step), dtype=np.int64)
    for line, cells in enumerate(rows):
        for column, row in enumerate(cells):
            if row is not None:
                top, left = line * step, column * step
                canvas[top : top + bitmaps.size, left : left + bitmaps.size] = bitmaps.pixels[row]
    return canvas


def _nearest(
    distances: NDArray[np.floating], rows: Sequence[int], among: Sequence[int], number: int
) -> list[list[int]]:
    nearest = []
    for row, line in zip(rows, distances, strict=True):
        order = [among[column] for column in np.argsort(line, kind="stable")[: number + 1]]
        nearest.append([neighbour for neighbour in order if neighbour != row][:number])
    return nearest
