"""Similarity of words from their characters' vectors, beside what people say.

The vector of a word is the mean of its characters' vectors. Pairs are of two kinds: seen, where training had every
character, and unseen. Of the latter the vectors are computed from all characters, or from the seen ones alone.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr
from torch import Tensor


class PairCosines(NamedTuple):
    """Of each pair [N]: the cosine from all characters, and from the seen ones; NaN where a word has none left."""

    every: NDArray[np.floating]
    seen_only: NDArray[np.floating]


def pair_cosines(table: Tensor, first: Tensor, second: Tensor, seen: Tensor) -> PairCosines:
    """Cosines of pairs of words.

    Args:
        table: vectors of the characters [n + 1, d], row 0 zero.
        first, second: characters of the words [N, T], 0 behind the end.
        seen: [n + 1] bool, those of the training data.
    """
    kept = [ids.where(seen[ids], 0) for ids in (first, second)]
    return PairCosines(_cosines(table, first, second), _cosines(table, *kept))


def is_seen(first: Tensor, second: Tensor, seen: Tensor) -> NDArray[np.bool_]:
    """The pairs of which training had every character: [N]."""
    return ((seen[first] | (first == 0)).all(1) & (seen[second] | (second == 0)).all(1)).numpy()


def correlations(
    cosines: PairCosines, scores: NDArray[np.floating], seen: NDArray[np.bool_], sees: bool
) -> Mapping[str, float | None]:
    """Spearman's rho in the columns of the paper's table 7, ties at their mean rank.

    Args:
        cosines: of the pairs.
        scores: of people [N].
        seen: as of `is_seen`.
        sees: whether the encoder reads pixels; a table has no vectors of unseen characters.

    Returns:
        seen: on seen pairs; unseen_all and unseen_seen: on the others, from all characters and from the seen ones;
        common_all: unseen_all on the pairs that unseen_seen has, those where no word lost all of its characters. None
        where there are fewer than 3 pairs, or no vectors.
    """
    left = ~seen & ~np.isnan(cosines.seen_only)
    return {
        "seen": _rho(cosines.every[seen], scores[seen]),
        "unseen_all": _rho(cosines.every[~seen], scores[~seen]) if sees else None,
        "unseen_seen": _rho(cosines.seen_only[left], scores[left]),
        "common_all": _rho(cosines.every[left], scores[left]) if sees else None,
    }


def _cosines(table: Tensor, first: Tensor, second: Tensor) -> NDArray[np.floating]:
    one, two = (table[ids].sum(1) for ids in (first, second))  # means but for their length
    product = (one * two).sum(1) / (one.norm(dim=1) * two.norm(dim=1))  # 0 / 0 is NaN
    return product.double().numpy()


def _rho(cosines: NDArray[np.floating], scores: NDArray[np.floating]) -> float | None:
    if len(cosines) < 3 or np.ptp(cosines) == 0 or np.ptp(scores) == 0:
        return None
    return float(spearmanr(cosines, scores).statistic)
