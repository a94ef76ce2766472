"""Learning rates that follow the history of a training: what `repline.training.fit` calls after every epoch.

A schedule depends on the history alone, so that a run that goes on from a checkpoint does what the whole one did.
"""

from collections.abc import Callable

from torch.optim import Optimizer

from repline.training.history import History
from repline.training.optimizers.averaged_sgd import AveragedSGD

Schedule = Callable[[Optimizer, History], None]


def non_monotone(window: int = 5) -> Schedule:
    """For `AveragedSGD`: average once the validation loss is above one of more than `window` epochs before.

    Source: Merity, Keskar & Socher 2018, algorithm 1, with a check every epoch.
    """

    def schedule(optimizer: Optimizer, history: History) -> None:
        *before, last = [record["validation_loss"] for record in history]
        if len(before) > window and last > min(before[:-window]):
            if not isinstance(optimizer, AveragedSGD):
                raise TypeError(f"non_monotone starts to average, which {type(optimizer).__name__} cannot")
            optimizer.start_averaging()

    return schedule


def plateau(factor: float, patience: int = 1, minimum: float = 0.0, monitor: str = "validation_loss") -> Schedule:
    """Multiply the learning rate by `factor` after every `patience` epochs without a better loss.

    Args:
        patience: 1 reacts to the first epoch that is not the best so far.
        minimum: the learning rate does not fall below it.
        monitor: which number of the history; less is better.
    """

    def schedule(optimizer: Optimizer, history: History) -> None:
        best, waited = float("inf"), 0
        for record in history:
            if waited == patience:
                waited = 0
            if record[monitor] < best:
                best, waited = record[monitor], 0
            else:
                waited += 1
        if waited == patience:
            for group in optimizer.param_groups:
                group["lr"] = max(group["lr"] * factor, minimum)

    return schedule


def halving(constant: int, minimum: float = 0.0) -> Schedule:
    """The first learning rate for `constant` epochs, then half of the last one for every further epoch.

    Args:
        minimum: the learning rate does not fall below it.

    Source: Luong, Pham & Manning 2015, section 4.1; Broscheit, Gemulla & Keuper 2018, section 4.2 (4 epochs, 1e-5).
    """

    def schedule(optimizer: Optimizer, history: History) -> None:
        if len(history) >= constant:
            for group in optimizer.param_groups:
                group["lr"] = max(group["lr"] / 2, minimum)

    return schedule
