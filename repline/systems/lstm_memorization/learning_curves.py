"""How validation and test accuracy move in training, which run is tested, and the longest sequence still solved."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict, cast

from repline.training.history import TrainingRecord, read_record

SOLVED = 0.99
EARLY_EPOCHS = 12  # after which the small claims are judged


def longest_solved(accuracy: Mapping[int, float], solved: float = SOLVED) -> int:
    """The longest length n such that it and every shorter one that was tried reach the accuracy `solved`; 0 for none.

    Args:
        accuracy: of each n.
    """
    longest = 0
    for length in sorted(accuracy):
        if accuracy[length] < solved:
            break
        longest = length
    return longest


def best(validation: Sequence[float]) -> int:
    """Which run, or which epoch, to test: the first with the highest validation accuracy."""
    return max(range(len(validation)), key=lambda number: (validation[number], -number))


def take_off(validation: Sequence[float], above: float = 0.5) -> int | None:
    """The first epoch, counted from 1, whose validation accuracy is above `above`; None if there is none."""
    return next((epoch for epoch, value in enumerate(validation, 1) if value > above), None)


def together_from(validation: Sequence[float], test: Sequence[float], within: float = 0.02) -> int | None:
    """The first epoch from which on both accuracies stay above one half and within `within` of each other, or None."""
    since = None
    for epoch, (validation_accuracy, test_accuracy) in enumerate(zip(validation, test, strict=True), 1):
        are_close = min(validation_accuracy, test_accuracy) > 0.5 and abs(validation_accuracy - test_accuracy) <= within
        since = (since or epoch) if are_close else None
    return since


def deepest_dip(validation: Sequence[float], high: float = SOLVED) -> tuple[int, float] | None:
    """The epoch and the value of the lowest validation accuracy since one of at least `high`; None if there is none."""
    reached = next((epoch for epoch, value in enumerate(validation, 1) if value >= high), None)
    if reached is None:
        return None
    value, epoch = min((value, epoch) for epoch, value in enumerate(validation[reached - 1 :], reached))
    return epoch, value


class Sequences(TypedDict):
    """How many sequences there were to train on and to validate with, and how many in a batch."""

    training: int
    validation: int
    in_a_batch: int


class Record(TrainingRecord):
    """What training.json says of an experiment."""

    sequences: Sequences


class TakeOff(TypedDict):
    """The epoch in which the validation accuracy rises, and how far it is then above that of test."""

    epoch: int
    lead: float


class Dip(TypedDict):
    """The epoch of the lowest validation accuracy after it was high."""

    epoch: int
    validation_accuracy: float


class Landmarks(TypedDict):
    """How one training went, see `landmarks`; `history` has a curve by the name of the number."""

    epochs: int
    steps: int
    steps_per_epoch: int
    early_validation_accuracy: float
    early_test_accuracy: float
    take_off: TakeOff | None
    together_from: int | None
    dip: Dip | None
    history: dict[str, list[float]]


def read_records(folders: Sequence[Path]) -> list[Record]:
    """The training.json of each run."""
    return [cast(Record, read_record(folder)) for folder in folders]


def selected_test_accuracy(folders: Sequence[Path]) -> float:
    """The recorded test accuracy of the run and the epoch with the best validation accuracy.

    Args:
        folders: of the runs of one experiment.
    """
    epochs = []
    for record in read_records(folders):
        history = record["history"]
        epochs.append(history[best([epoch["validation_accuracy"] for epoch in history])])
    return epochs[best([epoch["validation_accuracy"] for epoch in epochs])]["test_accuracy"]


def landmarks(record: Record) -> Landmarks:
    """How one training went: its length, when accuracies rise, meet and fall, and its curves.

    Args:
        record: of training.json.
    """
    history = record["history"]
    validation, test = ([epoch[f"{part}_accuracy"] for epoch in history] for part in ("validation", "test"))
    early = best(validation[:EARLY_EPOCHS])
    epoch, dip = take_off(validation), deepest_dip(validation)
    batches = -(-record["sequences"]["training"] // record["sequences"]["in_a_batch"])
    return {
        "epochs": len(history),
        "steps": len(history) * batches,
        "steps_per_epoch": batches,
        "early_validation_accuracy": validation[early],
        "early_test_accuracy": test[early],
        "take_off": None if epoch is None else {"epoch": epoch, "lead": validation[epoch - 1] - test[epoch - 1]},
        "together_from": together_from(validation, test),
        "dip": None if dip is None else {"epoch": dip[0], "validation_accuracy": dip[1]},
        "history": {
            key: [epoch_record[key] for epoch_record in history]
            for key in ("train_loss", "validation_loss", "validation_accuracy", "test_accuracy", "learning_rate")
        },
    }
