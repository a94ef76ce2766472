"""What a set of memorisation runs shows: the longest sequence still solved, and how two accuracies move in training."""

from collections.abc import Mapping, Sequence

SOLVED = 0.99


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
    """Which run, or which epoch, to test: the first with the highest accuracy on validation data of its own kind."""
    return max(range(len(validation)), key=lambda place: (validation[place], -place))


def take_off(validation: Sequence[float], above: float = 0.5) -> int | None:
    """The first epoch, counted from 1, whose validation accuracy is above `above`; None if there is none."""
    return next((epoch for epoch, value in enumerate(validation, 1) if value > above), None)


def together_from(validation: Sequence[float], test: Sequence[float], within: float = 0.02) -> int | None:
    """The first epoch from which on both accuracies stay above one half and within `within` of each other, or None."""
    since = None
    for epoch, (one, other) in enumerate(zip(validation, test, strict=True), 1):
        together = min(one, other) > 0.5 and abs(one - other) <= within
        since = (since or epoch) if together else None
    return since


def deepest_dip(validation: Sequence[float], high: float = SOLVED) -> tuple[int, float] | None:
    """The epoch and the value of the lowest validation accuracy since one of at least `high`; None if there is none."""
    reached = next((epoch for epoch, value in enumerate(validation, 1) if value >= high), None)
    if reached is None:
        return None
    value, epoch = min((value, epoch) for epoch, value in enumerate(validation[reached - 1 :], reached))
    return epoch, value
