"""Rank correlations of predicted ratings on resampled words: replicates for the claims."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from repline.evaluation.replication.bootstrap import REPLICATES, drawn_items, drawn_runs


def rank_correlations(gold: NDArray, predictions: NDArray) -> list[float | None]:
    """Spearman's rho of each row of predictions [M, n] with the ratings [n]; None where a side is constant."""
    if len(gold) < 2:
        return [None] * len(predictions)
    ranks = rankdata(np.vstack([gold[None], predictions]), axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(ranks, axis=1)
    products = ranks[1:] @ ranks[0]
    return [
        float(product / (length * lengths[0])) if length * lengths[0] > 0 else None
        for product, length in zip(products, lengths[1:], strict=True)
    ]


def resampled_folds(
    words: NDArray,
    vocabulary: int,
    gold: NDArray,
    predictions: Mapping[str, NDArray],
    runs: NDArray,
    folds: NDArray,
    replicates: int = REPLICATES,
) -> list[dict[str, float]]:
    """The mean rho over folds, then runs (`rating_correlations.fold_correlations`), of drawn runs on drawn words.

    Words are drawn, not rows: a word that several runs or parts rate is there as often in each of them.

    Args:
        words: [n] numbers of the words, below `vocabulary`.
        vocabulary: of how many words are drawn; parts of one list of ratings are to have the same.
        gold: [n], NaN where there is none.
        predictions: method -> [n], NaN where there is none; a constant one in a fold counts as a rho of 0.
        runs, folds: [n], of each row.

    Returns:
        a replicate each: method -> rho.
    """
    methods = list(predictions)
    table = np.stack([predictions[method] for method in methods])  # [M, n]
    there = ~(np.isnan(gold) | np.isnan(table).any(axis=0))
    parts = [
        [np.flatnonzero(there & (runs == run) & (folds == fold)) for fold in np.unique(folds[there & (runs == run)])]
        for run in np.unique(runs[there])
    ]
    resampled = []
    for replicate in range(replicates):
        often = np.bincount(drawn_items(vocabulary, replicate), minlength=vocabulary)
        drawn = drawn_runs(len(parts), replicate).tolist()
        by_run = {}
        for run in set(drawn):
            rows = (np.repeat(part, often[words[part]]) for part in parts[run])
            rhos = [[rho or 0.0 for rho in rank_correlations(gold[part], table[:, part])] for part in rows]
            by_run[run] = np.mean(rhos, axis=0)
        resampled.append(dict(zip(methods, np.mean([by_run[run] for run in drawn], axis=0).tolist(), strict=True)))
    return resampled


def resampled_words(
    gold: NDArray, predictions: Mapping[str, NDArray], of: NDArray | None = None, replicates: int = REPLICATES
) -> list[dict[str, float | None]]:
    """The rho of each method on drawn words, a replicate each.

    Args:
        gold: [n].
        predictions: method -> [n].
        of: bool [n]: only these of the drawn words count; None for all. They are the same draws.
    """
    table = np.stack(list(predictions.values()))
    resampled = []
    for replicate in range(replicates):
        drawn = drawn_items(len(gold), replicate)
        drawn = drawn if of is None else drawn[of[drawn]]
        resampled.append(dict(zip(predictions, rank_correlations(gold[drawn], table[:, drawn]), strict=True)))
    return resampled
