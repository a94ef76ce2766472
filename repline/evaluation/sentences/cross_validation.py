"""The protocols of SentEval with the penalty chosen on inner folds or on a dev part, all folds solved at once.

    nested        no split: outer folds are tested on, inner folds of the rest choose the penalty of each
    inner_folds   train and test: folds of train choose the penalty, all of train is learnt from
    dev           train, dev and test: dev chooses the penalty

Of penalties that are equally good the largest is taken.

Source: Conneau & Kiela 2018, *SentEval: An Evaluation Toolkit for Universal Sentence Representations*, section 3.1.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.correlation import pearson
from repline.evaluation.sentences.logistic_regressions import Regressions, Weights
from repline.evaluation.sentences.recipes import FOLDS, PENALTIES, SEED

ROUGHLY = 1e-2  # the tolerance of problems that only choose a penalty
ROUNDING = 1e-12  # what equal means of accuracies may differ by


def stratified_folds(labels: NDArray[np.int64], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each sentence, every class spread over the folds as evenly as can be: [N] -> [N], from 0 on."""
    if len(labels) < folds:
        raise InputError(f"expected at least {folds} sentences for {folds} folds, found {len(labels)}")
    shuffled = np.random.default_rng(seed).permutation(len(labels))
    ordered = shuffled[np.argsort(labels[shuffled], kind="stable")]
    folds_of_rows = np.empty(len(labels), dtype=np.int64)
    folds_of_rows[ordered] = np.arange(len(labels)) % folds
    return folds_of_rows


def nested(
    rows: NDArray[np.floating],
    labels: NDArray[np.int64],
    *,
    folds: int = FOLDS,
    inner: int = FOLDS,
    penalties: Sequence[float] = PENALTIES,
    seed: int = SEED,
) -> tuple[NDArray[np.int64], list[float]]:
    """Each sentence's class as predicted by the fold that it is tested in.

    Args:
        rows: [N, D]; labels: [N], from 0 on.

    Returns:
        [N], and the penalty of each outer fold.
    """
    outer = stratified_folds(labels, folds, seed)
    held = np.zeros((folds, inner, len(labels)), dtype=bool)
    for fold in range(folds):
        rest = np.flatnonzero(outer != fold)
        held[fold][stratified_folds(labels[rest], inner, seed + 1 + fold), rest] = True
    trained = (outer != np.arange(folds)[:, None])[:, None] & ~held
    problems = Regressions(rows, labels, trained.reshape(folds * inner, -1))
    ascending = sorted(penalties)
    solved = problems.path(ascending, tolerance=ROUGHLY)
    is_correct = [_held_accuracy(weights, rows, labels, held.reshape(folds * inner, -1)) for weights in solved]
    scores = np.stack([correct.reshape(folds, inner).mean(axis=1) for correct in is_correct])  # [P, folds]
    best = [_largest_best(scores[:, fold]) for fold in range(folds)]
    predicted = np.empty(len(labels), dtype=np.int64)
    for penalty in sorted(set(best)):
        rows_of_penalty = np.flatnonzero(np.array(best) == penalty)
        inside = solved[penalty].values.reshape(*solved[penalty].values.shape[:2], folds, inner)
        start = Weights(inside[:, :, rows_of_penalty].mean(axis=3))
        weights = problems.of(outer != rows_of_penalty[:, None]).path([ascending[penalty]], start)[0]
        classes = weights.classes(rows)
        for number, held_fold in enumerate(rows_of_penalty):
            predicted[outer == held_fold] = classes[outer == held_fold, number]
    return predicted, [ascending[penalty] for penalty in best]


def on_inner_folds(
    rows: NDArray[np.floating],
    labels: NDArray[np.int64],
    test: NDArray[np.floating],
    *,
    inner: int = FOLDS,
    penalties: Sequence[float] = PENALTIES,
    seed: int = SEED,
) -> tuple[NDArray[np.int64], float]:
    """The classes of test sentences, by a classifier of all training sentences.

    Args:
        rows, labels: of training, [N, D] and [N]; test: [M, D].

    Returns:
        [M], and the penalty that folds of training chose.
    """
    held = stratified_folds(labels, inner, seed) == np.arange(inner)[:, None]
    problems = Regressions(rows, labels, ~held)
    ascending = sorted(penalties)
    solved = problems.path(ascending, tolerance=ROUGHLY)
    scores = [_held_accuracy(weights, rows, labels, held).mean() for weights in solved]
    best = _largest_best(scores)
    start = Weights(solved[best].values.mean(axis=2, keepdims=True))
    everything = np.ones((1, len(rows)), dtype=bool)
    weights = problems.of(everything).path([ascending[best]], start)[0]
    return weights.classes(test)[:, 0], ascending[best]


def on_dev(
    rows: NDArray[np.floating],
    labels: NDArray[np.int64],
    dev: NDArray[np.floating],
    dev_labels: NDArray[np.int64],
    test: NDArray[np.floating],
    *,
    penalties: Sequence[float] = PENALTIES,
) -> tuple[NDArray[np.int64], float]:
    """The classes of test sentences, with the penalty that was best on dev; arguments as in `on_inner_folds`."""
    ascending = sorted(penalties)
    solved = Regressions(rows, labels).path(ascending)
    best = _largest_best([(weights.classes(dev)[:, 0] == dev_labels).mean() for weights in solved])
    return solved[best].classes(test)[:, 0], ascending[best]


def relatedness(
    rows: NDArray[np.floating],
    scores: NDArray[np.floating],
    dev: NDArray[np.floating],
    dev_scores: NDArray[np.floating],
    test: NDArray[np.floating],
    *,
    low: float,
    high: float,
    penalties: Sequence[float] = PENALTIES,
) -> tuple[NDArray[np.float64], float]:
    """Scores of test pairs: the mean of a predicted distribution over the whole scores low..high.

    It learns, by cross-entropy, the distribution over the two whole scores around y whose mean is y. SentEval takes
    the squared error of the same distributions; that problem is not convex and depends on its start.

    Args:
        rows: [N, D] of training; scores: [N], within low..high; dev, test: [M, D].
        low, high: whole numbers.

    Returns:
        [M], and the penalty with the best Pearson correlation on dev.

    Source: Tai, Socher & Manning 2015, section 4.2; Conneau & Kiela 2018, section 3.1.
    """
    whole = np.arange(low, high + 1)
    if scores.min() < low or scores.max() > high:
        raise InputError(f"expected scores from {low:g} to {high:g}, found {scores.min():g} to {scores.max():g}")
    targets = np.maximum(0, 1 - np.abs(scores[:, None] - whole))
    ascending = sorted(penalties)
    solved = Regressions(rows, targets).path(ascending)
    best = _largest_best(
        [pearson(weights.probabilities(dev)[:, :, 0] @ whole, dev_scores, least=2) or 0.0 for weights in solved]
    )
    return (solved[best].probabilities(test)[:, :, 0] @ whole).astype(np.float64), ascending[best]


def pair_features(first: NDArray[np.floating], second: NDArray[np.floating]) -> NDArray[np.floating]:
    """[|a - b| ; a * b] of pairs of sentence vectors: [N, D], [N, D] -> [N, 2D].

    Source: Tai, Socher & Manning 2015, section 4.2.
    """
    return np.concatenate([np.abs(first - second), first * second], axis=1)


def _held_accuracy(
    weights: Weights, rows: NDArray[np.floating], labels: NDArray[np.int64], held: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Accuracy of each problem on the sentences held out for it, [K, N]: [K]"""
    is_correct = weights.classes(rows) == labels[:, None]  # [N, K]
    return np.einsum("nk,kn->k", is_correct, held, dtype=np.float64) / held.sum(axis=1)


def _largest_best(scores: Sequence[float] | NDArray[np.float64]) -> int:
    """The last place of the highest score; what differs in the last bits alone is equal."""
    scores = np.asarray(scores)
    return int(np.flatnonzero(scores >= scores.max() - ROUNDING)[-1])
