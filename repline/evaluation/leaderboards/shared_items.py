"""What several candidates answered to the same items of a test, and how answers become a number."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.correlation import is_constant
from repline.evaluation.multi_label import multi_label_f1
from repline.evaluation.replication.weighted_draws import (
    MIN_PAIRS,
    mean_of_draws,
    pearson_of_draws,
    spearman_of_draws,
)

Statistic = Callable[[NDArray, NDArray], NDArray[np.float64]]  # answers [n], weights [R, n] -> numbers [R] or NaN


@dataclass(frozen=True)
class SharedItems:
    """The answers of all candidates to those items of one test that each of them can answer.

    Attributes:
        test, measure: their names; a larger number is better.
        items: how many the whole test has.
        answered: candidate -> how many of them it can answer.
        answers: candidate -> [runs, n], what each of its runs (seeds of training) answered to the n shared items.
        statistic: the number of some answers, for several weights of the items.
        units: [n, k], the independent units (words, pairs, documents, triples) that each item is made of. A replicate
            draws units, and an item counts as often as all of its units together: the product.
            See `repline.evaluation.replication.units`.
        notes: what a reader of the numbers has to know, a sentence each.
        why_no_verdict: why resampled items cannot say how far chance moves the numbers, as a sentence. The candidates
            then have values, and their differences neither interval nor verdict. Empty where they can.
    """

    test: str
    measure: str
    items: int
    answered: Mapping[str, int]
    answers: Mapping[str, NDArray]
    statistic: Statistic
    units: NDArray[np.int64]
    notes: Sequence[str] = ()
    why_no_verdict: str = ""

    @property
    def shared(self) -> int:
        """How many items all candidates can answer."""
        return len(self.units)


def accuracy(gold: NDArray) -> Statistic:
    """The share of answers that equal the gold ones [n]."""
    return lambda answers, weights: mean_of_draws(answers == gold, weights)


def mean_answer(answers: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """The mean of the answers, as of 1 for a right one and 0 for a wrong one, or of reciprocal ranks."""
    return mean_of_draws(answers, weights)


def macro_f1(gold: NDArray, labels: int) -> Statistic:
    """The mean of the labels' F1, of label numbers [n] from 0 on."""
    one_hot = np.eye(labels + 1, dtype=bool)[:, :labels]  # the last answer is no label
    return lambda answers, weights: multi_label_f1(one_hot[gold], one_hot[answers], weights)["macro"]


def correlation(gold: NDArray, *, by_rank: bool, files: NDArray | None = None) -> Statistic:
    """The correlation with people's scores [n], the mean over the files [n] of a test where it has several.

    It is undefined, NaN, of fewer than three items, and where one side is constant. The mean is that over the files of
    `files_with_correlation`. In such a file equal answers, or a replicate that draws equal scores, count as no
    correlation, 0; where that is so in every file, the mean is undefined.

    Args:
        by_rank: Spearman's correlation, else Pearson's.
    """
    correlate = spearman_of_draws if by_rank else pearson_of_draws
    numbers = np.zeros(len(gold), dtype=np.int64) if files is None else files
    rows_by_file = [np.flatnonzero(numbers == number) for number in files_with_correlation(gold, numbers)]

    def statistic(answers: NDArray, weights: NDArray) -> NDArray[np.float64]:
        if not rows_by_file:
            return np.full(len(weights), np.nan)
        by_file = np.stack([correlate(answers[rows], gold[rows], weights[:, rows]) for rows in rows_by_file])
        return np.where(np.isfinite(by_file).any(axis=0), np.nan_to_num(by_file).mean(axis=0), np.nan)

    return statistic


def files_with_correlation(gold: NDArray, files: NDArray) -> list[Any]:
    """The different files [n] that have three items or more, whose scores [n] are not all equal."""
    return [
        file
        for file in np.unique(files).tolist()
        if (files == file).sum() >= MIN_PAIRS and not is_constant(gold[files == file])
    ]


def notes_on_files(gold: NDArray, files: NDArray) -> list[str]:
    """How many of several files [n] have a correlation with the scores [n], as a note; none where all have one."""
    there, judged = len(np.unique(files)), len(files_with_correlation(gold, files))
    if judged == there or there == 1:
        return []
    reason = f"fewer than {MIN_PAIRS} shared items, or equal scores"
    return [f"The mean is over {judged:,} of {there:,} files or relations; the rest has {reason}."]


def purity(categories: NDArray) -> Statistic:
    """The share of words in a cluster whose commonest category is theirs; answers and categories are numbers [n]."""
    is_category = categories[:, None] == np.unique(categories)  # [n, categories]

    def statistic(answers: NDArray, weights: NDArray) -> NDArray[np.float64]:
        largest = [(weights * (answers == cluster)) @ is_category for cluster in np.unique(answers)]
        return np.max(largest, axis=2).sum(axis=0) / np.maximum(weights.sum(axis=1), 1)

    return statistic
