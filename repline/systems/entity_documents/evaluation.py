"""How good probabilities of labels are: F1 at 0.5 and at the thresholds that are best on dev, on resampled documents.

Every number is an array [1 + R]: first of the test documents as they are, then of each replicate's draw of them. The
thresholds are those of dev throughout.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.multi_label import best_thresholds, multi_label_f1

Scores = Mapping[str, NDArray[np.float64]]


def classification(scores: Scores, gold: Mapping[str, NDArray], weights: NDArray) -> dict[str, dict[str, NDArray]]:
    """`half` and `tuned`, each with `micro` and `macro`.

    Args:
        scores: of dev and test, [N, C].
        gold: the same, bool.
        weights: [1 + R, N] of the test documents.
    """
    thresholds = best_thresholds(scores["dev"], gold["dev"])
    return {
        name: multi_label_f1(gold["test"], scores["test"] >= theta, weights)
        for name, theta in (("half", 0.5), ("tuned", thresholds))
    }


def read_scores(path: str | Path) -> dict[str, NDArray[np.float64]]:
    """The probabilities of dev and test that a training wrote; InputError where they are not there."""
    try:
        with np.load(path, allow_pickle=False) as found:
            return {part: found[part].astype(np.float64) for part in ("dev", "test")}
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: the scores cannot be read ({error}); train again") from None
