"""Features of pictures without any training: mean colours, directions of edges, and a histogram of colours."""

import numpy as np
from numpy.typing import NDArray

from repline.algebra.unit_rows import unit_rows

SIZE = 64  # edge of a picture, pixels
CELLS, DIRECTIONS, LEVELS = 8, 8, 4  # cells along an edge; directions of edges; levels of a colour
ENDS = np.cumsum([CELLS * CELLS * 3, CELLS * CELLS * DIRECTIONS])  # of the first two blocks
SHORTEST = 1e-6  # length of a block that has a direction


def hand_blocks(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Three blocks, each of unit length, one after the other.

    Mean colours of 8 x 8 cells; in each cell 8 directions of gradients, opposite ones alike, weighted by their
    magnitude; the square root of the histogram of 4 x 4 x 4 colours. A block of zeros stays one.

    Args:
        pixels: [N, 64, 64, 3], RGB.

    Returns:
        [N, 768].
    """
    colours = pixels.astype(np.float32) / 255  # [N, 64, 64, 3]
    blocks = (_mean_colours(colours), _directions(colours), np.sqrt(_histogram(pixels)))
    return np.concatenate([unit_rows(block, SHORTEST) for block in blocks], axis=1)


def hand_features(blocks: NDArray[np.float32], collections: NDArray[np.int64]) -> NDArray[np.float32]:
    """Each block without the mean of its collection, at unit length; the whole at unit length.

    The mean is what all pictures of a collection share: a white ground, the colours that a vendor likes.

    Args:
        blocks: [N, 768], as of `hand_blocks`.
        collections: the number of each picture's collection [N].

    Returns:
        [N, 768], of unit length; a picture alone in its collection is zero.
    """
    centred = blocks.copy()
    for collection in np.unique(collections):
        centred[collections == collection] -= (
            blocks[collections == collection].mean(0, dtype=np.float64).astype(np.float32)
        )
    return at_unit_length(centred)


def at_unit_length(centred: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each block of features without their mean at unit length, then the whole: [N, 768] -> [N, 768]."""
    parts = [unit_rows(block, SHORTEST) for block in np.split(centred, ENDS, axis=1)]
    return unit_rows(np.concatenate(parts, axis=1), SHORTEST)


def _mean_colours(colours: NDArray[np.floating]) -> NDArray[np.float32]:
    """[N, 8 * 8 * 3]."""
    step = SIZE // CELLS
    return colours.reshape(-1, CELLS, step, CELLS, step, 3).mean((2, 4)).reshape(len(colours), -1)


def _directions(colours: NDArray[np.floating]) -> NDArray[np.float32]:
    """[N, 8 * 8 * 8]: the sum of magnitudes by cell and direction."""
    grey = colours.mean(3)
    vertical, horizontal = np.gradient(grey, axis=(1, 2))
    magnitude = np.hypot(vertical, horizontal)
    # a rounding error of an angle of 180 degrees must not make the last direction of the first
    turned = np.arctan2(vertical, horizontal) / np.pi * DIRECTIONS
    direction = np.floor(turned + 1e-4).astype(np.int64) % DIRECTIONS  # [N, 64, 64]
    step = SIZE // CELLS
    cell = np.arange(SIZE) // step
    histogram_bin = (cell[:, None] * CELLS + cell) * DIRECTIONS + direction
    histogram_bin += np.arange(len(colours))[:, None, None] * CELLS * CELLS * DIRECTIONS
    sums = np.bincount(histogram_bin.ravel(), magnitude.ravel(), len(colours) * CELLS * CELLS * DIRECTIONS)
    return sums.reshape(len(colours), -1).astype(np.float32)


def _histogram(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """[N, 64]: the share of pixels of each colour."""
    level = (pixels // (256 // LEVELS)).astype(np.int64)
    colour = (level[..., 0] * LEVELS + level[..., 1]) * LEVELS + level[..., 2]
    colour += np.arange(len(pixels))[:, None, None] * LEVELS**3
    counts = np.bincount(colour.ravel(), minlength=len(pixels) * LEVELS**3).reshape(len(pixels), -1)
    return (counts / counts.sum(1, keepdims=True)).astype(np.float32)
