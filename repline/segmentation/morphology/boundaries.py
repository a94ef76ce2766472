"""How well words are cut into morphs: precision, recall and F1 of the places where they are cut."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, shown
from repline.segmentation.morphology import Segmentation


def cuts(segmentation: Segmentation) -> frozenset[int]:
    """Where a word is cut, in letters from its start.

    >>> sorted(cuts(("kitap", "lar", "dan")))
    [5, 8]
    """
    return frozenset(accumulate(len(morph) for morph in segmentation[:-1]))


def boundary_counts(
    gold: Mapping[str, Sequence[Segmentation]], predicted: Mapping[str, Segmentation]
) -> NDArray[np.int64]:
    """[words, 3]: the cuts of both, those found and those of gold, for each word that both have, in the order of gold.

    Of several gold segmentations that one counts which agrees best with what was found.

    Raises:
        InputError: a segmentation that does not spell its word.
    """
    rows = []
    for word, options in gold.items():
        if word not in predicted:
            continue
        for option in (*options, predicted[word]):
            if "".join(option) != word:
                raise InputError(f"the morphs {shown('-'.join(option))} do not make up the word {shown(word)}")
        here = cuts(predicted[word])
        counts = [(len(here & cuts(option)), len(here), len(cuts(option))) for option in options]
        rows.append(max(counts, key=lambda count: (_f1(*count), -count[2])))
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


@overload
def boundary_f1(counts: NDArray[np.integer], weights: None = None) -> dict[str, float]: ...
@overload
def boundary_f1(counts: NDArray[np.integer], weights: NDArray) -> dict[str, NDArray[np.float64]]: ...
def boundary_f1(
    counts: NDArray[np.integer], weights: NDArray | None = None
) -> dict[str, float] | dict[str, NDArray[np.float64]]:
    """Precision, recall and F1 of cuts, summed over words.

        precision = both / found,   recall = both / gold,   F1 = 2 both / (found + gold)

    Args:
        counts: [words, 3] of `boundary_counts`.
        weights: [R, words], how often each word counts; the results are then arrays [R].

    Source: Virpioja et al. 2011, "Empirical Comparison of Evaluation Methods for Unsupervised Learning of Morphology".
    """
    sums = counts.sum(0) if weights is None else (weights @ counts).T
    both, predicted, gold = np.asarray(sums, dtype=np.float64)
    values = {
        "precision": _share(both, predicted),
        "recall": _share(both, gold),
        "f1": _share(2 * both, predicted + gold),
    }
    return values if weights is not None else {name: float(value) for name, value in values.items()}


def best_of(gold: Mapping[str, Sequence[Segmentation]], options: Mapping[str, Iterable[Segmentation]]) -> dict:
    """Option of each word that agrees best with gold: what a perfect choice would reach."""
    best = {}
    for word, many in options.items():
        if word in gold:
            best[word] = max(
                many, key=lambda option: max(_f1(*_agreement(option, gold_option)) for gold_option in gold[word])
            )
    return best


def _agreement(predicted: Segmentation, gold: Segmentation) -> tuple[int, int, int]:
    here, there = cuts(predicted), cuts(gold)
    return len(here & there), len(here), len(there)


def _f1(both: int, predicted: int, gold: int) -> float:
    return 2 * both / (predicted + gold) if predicted + gold else 1.0


def _share(part: Any, whole: Any) -> Any:
    return np.divide(part, whole, out=np.zeros_like(np.asarray(part, dtype=np.float64)), where=np.asarray(whole) > 0)
