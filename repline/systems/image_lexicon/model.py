"""How alike two sets of pictures are: AVGMAX, MAXMAX, CNN-MEAN and CNN-MAX; and how much a set varies.

    AVGMAX(A, B)   = (1/|A|) Σ_{a ∈ A} max_{b ∈ B} cos(a, b)                  averages over the source A: not symmetric
    MAXMAX(A, B)   = max_{a ∈ A, b ∈ B} cos(a, b)
    CNN-MEAN(A, B) = cos(mean of A, mean of B)
    CNN-MAX(A, B)  = cos(max of A, max of B)                                  by component
    d(A)           = 2 / (n (n - 1)) Σ_{k < j} (1 - cos(a_k, a_j))            dispersion; its bracket lacks in print

The translation of a word with the pictures A is the target word whose pictures B score highest.

Notation: P rows and d columns of a feature matrix, a row a picture (of one language, or of both); Q rows where the
target has a matrix of its own. A set is a list of rows; many sets at once (`Sets`), one for each of W words, are their
rows one after the other [N], and where each begins [W]. S source words and T target words are compared: AVGMAX and
MAXMAX are `Matches.average` and `Matches.largest` [S, T], CNN-MEAN and CNN-MAX `aggregated` [S, T], d(A) is
`dispersion` [W]. Products are made a block of source sets at a time, and reduced to words at once: the matrix of
all pictures by all pictures is never kept.

KNN and KNN-C, where pictures vote, lie in `repline.systems.image_lexicon.nearest_votes` and `.sense_clusters`.

Source: Hartmann & Søgaard 2018, sections 3.1 and 4.2; Bergsma & Van Durme 2011; Kiela, Vulić & Clark 2015.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.vectors.normalisation import unit_length

Matrix = NDArray[np.float32]
CELLS = 2**24  # similarities of pictures held at once
ALIKE = 1e-6  # cosines that differ by less are the same


@dataclass(frozen=True)
class Sets:
    """The pictures of each of W words, as sets of rows of a feature matrix.

    Attributes:
        features: [P, d], a row a picture; other sets may have rows of the same matrix.
        rows: the pictures of the sets, one set after the other [N].
        starts: where each set begins [W], the first one at 0; none is empty.
    """

    features: Matrix
    rows: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, features: Matrix, sets: Sequence[Sequence[int] | NDArray[np.int64]]) -> "Sets":
        """Sets from lists of rows; ValueError if a list is empty."""
        sizes = np.array([len(picture_rows) for picture_rows in sets], dtype=np.int64)
        if (sizes == 0).any():
            raise ValueError("expected at least one picture in every set")
        rows = np.fromiter((row for picture_rows in sets for row in picture_rows), dtype=np.int64, count=sizes.sum())
        return cls(features, rows, np.cumsum(sizes) - sizes)

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Pictures of each set [W]."""
        return np.diff(self.starts, append=len(self.rows))

    @cached_property
    def unit(self) -> Matrix:
        """The features at unit length [P, d]."""
        return unit_length(self.features)

    @cached_property
    def unit_means(self) -> NDArray[np.float64]:
        """The mean of each set's unit features [W, d]; a product of two of them is the mean cosine of all pairs."""
        return self._reduced(self.unit, np.add) / self.sizes[:, None]

    def means(self, l2: bool) -> NDArray[np.float64]:
        """The mean of each set's features [W, d]; of those at unit length if `l2`."""
        return self._reduced(self.unit if l2 else self.features, np.add) / self.sizes[:, None]

    def maxima(self, l2: bool) -> NDArray[np.float64]:
        """The componentwise maximum of each set's features [W, d]."""
        return self._reduced(self.unit if l2 else self.features, np.maximum)

    def _reduced(self, features: Matrix, by: np.ufunc) -> NDArray[np.float64]:
        return by.reduceat(features[self.rows].astype(np.float64), self.starts, axis=0)


class Matches(NamedTuple):
    """Scores of two lists of sets, from the cosines of all their pictures.

    Attributes:
        average, largest: AVGMAX and MAXMAX [S, T].
        nearest: bool [P, Q], the target pictures nearest to each source picture, by rows of the two feature matrices.
    """

    average: Matrix
    largest: Matrix
    nearest: sparse.csr_array


def match(source: Sets, target: Sets) -> Matches:
    """AVGMAX and MAXMAX of every source set with every target set, and the nearest target pictures.

        AVGMAX(A, B) = (1/|A|) sum over a in A of max over b in B of cos(a, b),   MAXMAX(A, B) = max over a, b of it

    AVGMAX averages over the source: its sides are not alike. Cosines within `ALIKE` of the largest are nearest, too.

    Source: Bergsma & Van Durme 2011; Hartmann & Søgaard 2018, section 3.1.
    """
    average, largest = (np.empty((len(source), len(target)), dtype=np.float32) for _ in range(2))
    used, columns = np.unique(target.rows, return_inverse=True)
    pictures = target.unit[used].T  # [d, Q]
    near: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for which in _blocks(source, max(1, CELLS // len(target.rows))):
        begin = source.starts[which.start]
        end = source.starts[which.stop] if which.stop < len(source) else len(source.rows)
        rows = source.rows[begin:end]
        cosines = source.unit[rows] @ pictures  # [rows, Q]
        best = np.maximum.reduceat(cosines[:, columns], target.starts, axis=1)  # [rows, T]
        starts, sizes = source.starts[which] - begin, source.sizes[which]
        average[which] = np.add.reduceat(best, starts, axis=0) / sizes[:, None].astype(np.float32)
        largest[which] = np.maximum.reduceat(best, starts, axis=0)
        row_numbers, nearest = np.nonzero(cosines >= cosines.max(1, keepdims=True) - ALIKE)
        near.append((rows[row_numbers], used[nearest]))
    coordinates = tuple(np.concatenate(side) for side in zip(*near, strict=True))
    shape = (len(source.features), len(target.features))
    nearest = sparse.csr_array((np.ones(len(coordinates[0]), dtype=bool), coordinates), shape=shape)
    nearest.sum_duplicates()  # a picture that is in several source sets
    return Matches(average, largest, nearest)


def _blocks(sets: Sets, size: int) -> Iterator[slice]:
    """Consecutive blocks of sets that have at most `size` pictures together, or one set."""
    first = 0
    while first < len(sets):
        reached = sets.starts[first] + size
        after = len(sets) if len(sets.rows) <= reached else int(np.searchsorted(sets.starts, reached, side="right")) - 1
        yield slice(first, max(after, first + 1))
        first = max(after, first + 1)


def aggregated(source: Sets, target: Sets, by: str, l2: bool = False) -> NDArray[np.float64]:
    """CNN-MEAN or CNN-MAX of every source set with every target set [S, T]: the cosine of the sets' aggregates.

    Args:
        by: mean, or max by component.
        l2: take each picture at unit length first; the paper does not.

    Source: Kiela, Vulić & Clark 2015; Hartmann & Søgaard 2018, section 3.1.
    """
    first, second = (sets.means(l2) if by == "mean" else sets.maxima(l2) for sets in (source, target))
    return unit_length(first) @ unit_length(second).T


def dispersion(sets: Sets) -> NDArray[np.float64]:
    """The mean distance of two pictures of each set [W]; NaN for a set of one.

        d = 2 / (n (n - 1)) sum over pairs of (1 - cos) = 1 - (|sum of unit features|^2 - n) / (n (n - 1))

    Source: Kiela et al. 2014; Hartmann & Søgaard 2018, section 4.2, whose formula lacks the bracket.
    """
    n = sets.sizes.astype(np.float64)
    total = sets.unit_means * n[:, None]
    self_products = np.add.reduceat(
        (sets.unit[sets.rows].astype(np.float64) ** 2).sum(1), sets.starts
    )  # n, except for rounding
    pairs = n * (n - 1)
    squares = np.einsum("td,td->t", total, total) - self_products
    return 1 - np.divide(squares, pairs, out=np.full(len(sets), np.nan), where=pairs > 0)
