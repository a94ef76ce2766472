"""Weights of features in a hash table with open addressing, compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK

FREE = -1
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=ON_DISK)
def new_table(bits: int) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """An empty table of 2^bits entries: keys, FREE where there is none; and two values of each, zeros."""
    return np.full(1 << bits, FREE, np.int64), np.zeros(1 << bits), np.zeros(1 << bits)


@njit(cache=ON_DISK)
def slot(keys: NDArray[np.int64], key: int) -> np.int64:
    """Where `key` lies in the table, or the free entry where it belongs."""
    mask = np.uint64(len(keys) - 1)
    mixed = np.uint64(key) * _GOLDEN
    index = (mixed ^ (mixed >> np.uint64(29))) >> np.uint64(17) & mask
    while keys[np.int64(index)] != key and keys[np.int64(index)] != FREE:
        index = (index + np.uint64(1)) & mask
    return np.int64(index)


@njit(cache=ON_DISK)
def with_doubled_capacity(
    keys: NDArray[np.int64], values: NDArray[np.float64], sums: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """The table with twice as many entries."""
    grown_keys = np.full(2 * len(keys), FREE, np.int64)
    grown_values, grown_sums = np.zeros(len(grown_keys)), np.zeros(len(grown_keys))
    for index in range(len(keys)):
        if keys[index] != FREE:
            new = slot(grown_keys, keys[index])
            grown_keys[new], grown_values[new], grown_sums[new] = keys[index], values[index], sums[index]
    return grown_keys, grown_values, grown_sums


@njit(cache=ON_DISK)
def table_of(
    features: NDArray[np.int64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """A table a quarter full at most, to look weights up in: keys and values [2^bits]."""
    size = 16
    while size < 4 * len(features):
        size *= 2
    keys, values = np.full(size, FREE, np.int64), np.zeros(size)
    for index in range(len(features)):
        new = slot(keys, features[index])
        keys[new] = features[index]
        values[new] = weights[index]
    return keys, values
