"""Weights of features in a hash table with open addressing, compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

FREE = -1
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True)
def new_table(bits: int) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """An empty table of 2^bits places: keys, FREE where there is none; and two values of each, zeros."""
    return np.full(1 << bits, FREE, np.int64), np.zeros(1 << bits), np.zeros(1 << bits)


@njit(cache=True)
def slot(keys: NDArray[np.int64], key: int) -> np.int64:
    """Where `key` lies in the table, or the free place where it belongs."""
    mask = np.uint64(len(keys) - 1)
    mixed = np.uint64(key) * _GOLDEN
    place = (mixed ^ (mixed >> np.uint64(29))) >> np.uint64(17) & mask
    while keys[np.int64(place)] != key and keys[np.int64(place)] != FREE:
        place = (place + np.uint64(1)) & mask
    return np.int64(place)


@njit(cache=True)
def grown(
    keys: NDArray[np.int64], values: NDArray[np.float64], sums: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Double the room of the table."""
    more = np.full(2 * len(keys), FREE, np.int64)
    more_values, more_sums = np.zeros(len(more)), np.zeros(len(more))
    for place in range(len(keys)):
        if keys[place] != FREE:
            new = slot(more, keys[place])
            more[new], more_values[new], more_sums[new] = keys[place], values[place], sums[place]
    return more, more_values, more_sums


@njit(cache=True)
def table_of(known: NDArray[np.int64], weights: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """A table a quarter full at most, to look weights up in: keys and values [2^bits]."""
    size = 16
    while size < 4 * len(known):
        size *= 2
    keys, values = np.full(size, FREE, np.int64), np.zeros(size)
    for place in range(len(known)):
        new = slot(keys, known[place])
        keys[new] = known[place]
        values[new] = weights[place]
    return keys, values
