"""Arguments against a gold standard, as srl-eval.pl of the CoNLL-2005 shared task counts them.

An argument is right if its label and all its words are. A span labelled C-X continues the last X before it, and the two
are one argument; where there is none, it is an X itself. The predicate's own span V is not counted.

Source: Carreras & Marquez 2005, "Introduction to the CoNLL-2005 shared task", section 2; srl-eval.pl (2005/04/21).
"""

from collections.abc import Iterable
from typing import NamedTuple

from repline.corpora.srl.propositions import PREDICATE, Argument

CONTINUES = "C-"


class WholeArgument(NamedTuple):
    """A label, and its spans (first word, last word), one or several."""

    label: str
    spans: tuple[tuple[int, int], ...]


class RoleCounts(NamedTuple):
    """How many arguments are right, found without being there, and there without being found."""

    correct: int
    excess: int
    missed: int


def whole_arguments(arguments: Iterable[Argument]) -> list[WholeArgument]:
    """The arguments with their continuations, without V, by their first words."""
    wholes: list[WholeArgument] = []
    last: dict[str, int] = {}  # label -> the last argument that has it
    for argument in sorted(arguments, key=lambda argument: argument.first):
        label, span = argument.label, (argument.first, argument.last)
        continued = label.removeprefix(CONTINUES)
        if label != continued and continued in last:
            before = wholes[last[continued]]
            wholes[last[continued]] = before._replace(spans=(*before.spans, span))
        else:
            last[continued] = len(wholes)
            wholes.append(WholeArgument(continued, (span,)))
    return [whole for whole in wholes if whole.label != PREDICATE]


def role_counts(gold: Iterable[Argument], predicted: Iterable[Argument]) -> RoleCounts:
    """Count right, missed and wrong arguments of one predicate; spans of one side do not overlap."""
    true, guessed = set(whole_arguments(gold)), set(whole_arguments(predicted))
    correct = len(true & guessed)
    return RoleCounts(correct, len(guessed) - correct, len(true) - correct)


def precision_recall_f1(correct: float, excess: float, missed: float) -> tuple[float, float, float]:
    """Percentages; 0 where there is nothing to divide by."""
    precision = 100 * correct / (correct + excess) if correct + excess else 0.0
    recall = 100 * correct / (correct + missed) if correct + missed else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
