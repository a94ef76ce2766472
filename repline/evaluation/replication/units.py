"""The independent units that test items are made of, and how often a replicate that draws units draws each item."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from repline.evaluation.replication.bootstrap import REPLICATES, drawn_items

NO_UNIT = -1
MIN_GROUPS = 20  # the effective number of groups, 1 / the sum of their squared shares of the pairs


def single_units(items: int) -> NDArray[np.int64]:
    """The units of items that are independent of each other: [n, 1]."""
    return np.arange(items)[:, None]


def numbered_units(names: ArrayLike) -> NDArray[np.int64]:
    """The units of items that share a name, which are drawn together: [n] -> [n, 1]."""
    return np.unique(np.asarray(names, dtype=str), return_inverse=True)[1].reshape(-1, 1)


def pair_units(firsts: Sequence[str], seconds: Sequence[str]) -> NDArray[np.int64]:
    """The units of pairs of texts, which are not independent where they share a text: [n], [n] -> [n, 2].

    Pairs that share a text, directly or through other pairs, are one unit, if there are enough such groups. Where there
    are few, as of all pairs of fifty documents, a text of several different pairs is a unit of each, and a pair that
    has no such text is a unit itself. Units are numbered in the order of the pairs.
    """
    pairs = [tuple(sorted(pair)) for pair in zip(firsts, seconds, strict=True)]
    groups = _groups(pairs)
    if len(pairs) ** 2 >= MIN_GROUPS * sum(size**2 for size in Counter(groups).values()):
        return _numbered([[group] for group in groups])
    counts = Counter(text for pair in set(pairs) for text in set(pair))
    shared = [[text for text in dict.fromkeys(pair) if counts[text] > 1] for pair in pairs]
    return _numbered([texts or [pair] for texts, pair in zip(shared, pairs, strict=True)])


def units_of_pairs(groups: Sequence[str], firsts: Sequence[str], seconds: Sequence[str]) -> NDArray[np.int64]:
    """The units of pairs of texts [n, k]: their groups, if some group has several pairs, else `pair_units`.

    Args:
        groups: the name of each pair's group, as of three pairs about the same word; where a corpus has none, as SICK,
            each pair has a name of its own.
    """
    return numbered_units(groups) if len(set(groups)) < len(groups) else pair_units(firsts, seconds)


def units_of_part(units: NDArray[np.int64], chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The units of some of the items, numbered anew: [n, k], bool [n] -> [n', k]."""
    part = units[chosen]
    numbers = np.unique(part[part != NO_UNIT])
    return np.where(part == NO_UNIT, NO_UNIT, np.searchsorted(numbers, part))


def draws_of_units(units: NDArray[np.int64], replicates: Iterable[int] = range(REPLICATES)) -> NDArray[np.int64]:
    """How often each item is in each replicate: [R, n].

    A replicate draws units, and an item counts as often as all of its units together: the product. Items that are a
    unit each have the draws of `repline.evaluation.replication.weighted_draws.draws`.

    Args:
        units: [n, k] of each item; `NO_UNIT` stands where an item has fewer than k.
        replicates: the numbers of the replicates.
    """
    count = int(units.max(initial=-1)) + 1
    drawn = np.stack([np.bincount(drawn_items(count, replicate), minlength=count) for replicate in replicates])
    drawn = np.concatenate([drawn, np.ones_like(drawn[:, :1])], axis=1)  # the last column is that of NO_UNIT, -1
    return drawn[:, units].prod(axis=2)


def weights_of_units(units: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each item counts, [1 + R, n]: once everything as it is, then what each replicate draws.

    Args:
        units: as those of `draws_of_units`.
    """
    once = np.ones((1, len(units)), dtype=np.int64)
    return np.concatenate([once, draws_of_units(units)]) if len(units) else np.repeat(once, 1 + REPLICATES, axis=0)


def _groups(pairs: Sequence[tuple[str, ...]]) -> list[int]:
    """The number of the group of each pair, whose pairs share texts, directly or through each other: [n]."""
    numbers: dict[str, int] = {}
    sides = [[numbers.setdefault(pair[side], len(numbers)) for pair in pairs] for side in (0, 1)]
    shared = coo_array((np.ones(len(pairs), dtype=bool), sides), shape=(len(numbers), len(numbers)))
    return connected_components(shared, directed=False)[1][sides[0]].tolist()


def _numbered(names: Sequence[Sequence[Hashable]]) -> NDArray[np.int64]:
    """The numbers of the one or two units of each pair: [n, 2], `NO_UNIT` where it has one."""
    numbers: dict[Hashable, int] = {}
    units = np.full((len(names), 2), NO_UNIT, dtype=np.int64)
    for row, unit_names in enumerate(names):
        units[row, : len(unit_names)] = [numbers.setdefault(name, len(numbers)) for name in unit_names]
    return units
