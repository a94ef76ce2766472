"""Cross-validated networks that read ratings off word vectors: all folds at once, and scikit-learn's one by one."""

import os
import shutil
import tempfile
import warnings
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import torch
from sklearn.neural_network import MLPRegressor
from threadpoolctl import threadpool_limits

from benchmarks.timing import line, paired
from repline.systems.concreteness.settings import Recipe
from repline.systems.concreteness.training import train_networks
from repline.training.run import Run

WORDS, FOLDS, EPOCHS, BATCH = 3000, 10, 10, 32
HIDDEN = (128, 32)  # the default of RatingNetworks


def main() -> None:
    rng = np.random.default_rng(0)
    torch.set_num_threads(1)
    print(f"{'one thread, 3,000 words, 10 folds, 10 epochs':<72} {'repline':>13} {'scikit-learn':>13} {'ratio':>8}")
    fold = rng.permutation(WORDS) % FOLDS
    training = [np.flatnonzero(fold != held_out) for held_out in range(FOLDS)]
    for d in (50, 300):
        x = rng.normal(size=(WORDS, d)).astype(np.float32)
        y = (x[:, :5].sum(1) + rng.normal(size=WORDS)).astype(np.float32)
        with threadpool_limits(1), tempfile.TemporaryDirectory() as scratch:
            ours, peer = paired(
                lambda x=x, y=y, scratch=scratch: _together(x, y, training, Path(scratch)),
                lambda x=x, y=y: _one_by_one(x, y, training),
                rounds=3,
            )
        line(f"{d} dimensions, networks of 128 and 32 units, without dropout", ours, peer)


def _together(x: np.ndarray, y: np.ndarray, training: list[np.ndarray], scratch: Path) -> None:
    this_run = Run(scratch / "networks", scratch=scratch)
    train_networks(Recipe(dropout=0.0, epochs=EPOCHS, batch=BATCH), x, [y] * FOLDS, training, this_run)
    for checkpoints in this_run.checkpoints:
        shutil.rmtree(checkpoints)


def _one_by_one(x: np.ndarray, y: np.ndarray, training: list[np.ndarray]) -> list[MLPRegressor]:
    # tol and n_iter_no_change: never stop early, as here
    options = {"max_iter": EPOCHS, "batch_size": BATCH, "tol": 0.0, "n_iter_no_change": EPOCHS, "alpha": 0.0}
    with warnings.catch_warnings(action="ignore"):  # that it has not converged
        return [MLPRegressor(hidden_layer_sizes=HIDDEN, **options).fit(x[rows], y[rows]) for rows in training]
