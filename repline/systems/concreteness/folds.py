"""Ratings predicted out of fold: every regressor sees the same words in the same folds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from repline.errors import InputError
from repline.parameters import nearest
from repline.systems.concreteness.regressors import ridge, support_vectors
from repline.systems.concreteness.settings import Regressor
from repline.systems.concreteness.training import train_networks

REGRESSORS = get_args(Regressor)
NARROW = 0.003  # the paper's gamma, 1 / d for its d = 300


def folds_of(words: int, folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each word, [n]: shuffled, of equal size but for one word."""
    found = np.empty(words, np.int64)
    for fold, (_, test) in enumerate(KFold(folds, shuffle=True, random_state=seed).split(np.empty(words))):
        found[test] = fold
    return found


def out_of_fold(
    x: NDArray,
    rows: NDArray,
    ratings: Mapping[str, NDArray],
    fold: NDArray,
    methods: Sequence[str],
    scratch: str | Path,
    *,
    svr: Mapping[str, Any],
    ffn: Mapping[str, Any],
    seed: int = 0,
    threads: int = 1,
    name: str = "ratings",
) -> dict[str, dict[str, NDArray[np.float64]]]:
    """Predict every word by regressors that were fitted on the other folds.

    Args:
        x: [n, d] vectors.
        rows: [n] frequency ranks, for the regressor `frequency`, whose prediction is -log(1 + rank).
        ratings: target -> [n], NaN where a word is not rated for it: it is left out there.
        fold: [n].
        methods: of REGRESSORS: `svr` as the settings say; `svr_narrow` with the paper's gamma; `svr_raw` with that
            and ratings in their own unit; `ridge`; `frequency`; `ffn`, the networks.
        scratch: for checkpoints of the networks.
        svr: settings of `support_vectors`; ffn: of `train_networks`.
        seed: of the networks.
        name: of the run.

    Returns:
        target -> method -> [n] predictions, NaN where a word is not rated.

    Raises:
        InputError: an unknown method.
    """
    for method in methods:
        if method not in REGRESSORS:
            raise InputError(f"there is no regressor {method!r}{nearest(method, REGRESSORS)}")
    narrow = {**svr, "gamma": NARROW}
    d = x.shape[1]
    estimators = {
        "svr": support_vectors(d, **svr),
        "svr_narrow": support_vectors(d, **narrow),
        "svr_raw": support_vectors(d, **narrow, standardise_ratings=False),
        "ridge": ridge(),
    }
    found: dict[str, dict[str, NDArray]] = {}
    members: list[tuple[str, int, NDArray]] = []  # of the networks: target, fold, rows of training
    for target, y in ratings.items():
        there = ~np.isnan(y)
        found[target] = {method: np.full(len(y), np.nan) for method in methods}
        if "frequency" in methods:
            found[target]["frequency"][there] = -np.log1p(rows[there])
        for held_out in range(int(fold.max()) + 1):
            train, test = (np.flatnonzero(there & side) for side in (fold != held_out, fold == held_out))
            members.append((target, held_out, train))
            for method in methods:
                if method in estimators:
                    found[target][method][test] = estimators[method].fit(x[train], y[train]).predict(x[test])
    if "ffn" in methods:
        networks = train_networks(
            x,
            [ratings[target] for target, _, _ in members],
            [train for _, _, train in members],
            scratch,
            seed=seed,
            threads=threads,
            name=name,
            **ffn,
        )
        predicted = networks.predict(x)
        for member, (target, held_out, _) in enumerate(members):
            test = (fold == held_out) & ~np.isnan(ratings[target])
            found[target]["ffn"][test] = predicted[test, member]
    return found
