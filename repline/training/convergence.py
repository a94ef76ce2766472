"""Whether trainings ran until their number on development data stopped improving.

A run that ended by its number of epochs while its last epoch was its best might have improved further: a comparison
with it says as much about the length of training as about the models.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from repline.errors import InputError
from repline.training.history import History

# what an epoch may record of development data, the first that is there is watched: True where higher is better
WATCHED = {
    "dev_accuracy": True,
    "dev_micro_f1": True,
    "dev_f1": True,
    "dev_retrieval": True,
    "validation_accuracy": True,
    "validation_loss": False,
}


def converged(history: History, watched: str | None = None) -> bool:
    """Whether an epoch before the last is the best, or the last has nothing left to improve: an accuracy or F1 of 1.

    True, too, without a number of development data, or without any epoch.

    Args:
        history: a record per epoch, as of `repline.training.fit.fit`.
        watched: the number that the training selects its epoch by; None: the first of `WATCHED` that is recorded.

    >>> converged([{"dev_accuracy": 0.5}, {"dev_accuracy": 0.7}, {"dev_accuracy": 0.6}])
    True
    >>> converged([{"validation_accuracy": 0.9}, {"validation_accuracy": 1.0}])
    True
    >>> converged([{"validation_loss": 2.0}, {"validation_loss": 1.5}])
    False
    """
    if not history:
        return True
    watched = watched or next((name for name in WATCHED if name in history[-1]), None)
    if watched is None:
        return True
    values = [record[watched] for record in history]
    higher = WATCHED.get(watched, True)
    best = max(values) if higher else min(values)
    return (watched in WATCHED and higher and best >= 1) or values.index(best) < len(values) - 1


def not_converged(runs: Mapping[str, Iterable[str | Path]], watched: str | None = None) -> list[str]:
    """The groups of metrics with a run that had not converged.

    Args:
        runs: group of metrics, as claims name it ("chapters.networks.hcan") -> the folders of its trained models.
        watched: see `converged`.

    Raises:
        InputError: a folder without the record of its training.
    """
    return [name for name, folders in runs.items() if not all(_converged(folder, watched) for folder in folders)]


def _converged(folder: str | Path, watched: str | None) -> bool:
    path = Path(folder) / "training.json"
    try:
        return converged(json.loads(path.read_text(encoding="utf-8"))["history"], watched)
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{path}: this is no record of a training; train the model again") from None
