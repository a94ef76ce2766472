"""Correlations of predicted ratings with those of people: by fold, averaged."""

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.word_vectors.similarity import pearson, spearman


def fold_correlations(gold: NDArray, predictions: NDArray, runs: NDArray, folds: NDArray) -> dict[str, float]:
    """The mean over folds of the correlation in each, and how it varies from run to run.

    Args:
        gold: [n] ratings, NaN where there is none.
        predictions: [n], NaN where there is none; constant predictions in a fold count as a correlation of 0.
        runs: [n] number of the run (seed).
        folds: [n] fold inside the run.

    Returns:
        `spearman` and `pearson`, means over folds, then runs; `deviation`, the standard deviation of Spearman's rho
        over runs (0 for one run); `runs`.
    """
    rated = ~(np.isnan(gold) | np.isnan(predictions))
    by_run: dict[str, list[float]] = {"spearman": [], "pearson": []}
    for run in np.unique(runs[rated]):
        in_run = rated & (runs == run)
        for name, measure in (("spearman", spearman), ("pearson", pearson)):
            values = [
                measure(predictions[in_run & (folds == fold)], gold[in_run & (folds == fold)])
                for fold in np.unique(folds[in_run])
            ]
            by_run[name].append(float(np.mean([value or 0.0 for value in values])))
    return {name: float(np.mean(values)) for name, values in by_run.items()} | {
        "deviation": float(np.std(by_run["spearman"])),
        "runs": len(by_run["spearman"]),
    }
