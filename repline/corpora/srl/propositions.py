"""A sentence and what is said in it: predicates, and the labelled spans that are their arguments."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from repline.errors import shown
from repline.reading.wrong_records import WrongRecord

SPLITS = ("train", "dev", "test")
PREDICATE = "V"  # the label of the predicate's own span


class Argument(NamedTuple):
    """A labelled span: places of its first and its last word, counted from 0."""

    label: str
    first: int
    last: int


class Proposition(NamedTuple):
    """A predicate and its arguments, in the order of the words; the span of the predicate is among them.

    Attributes:
        predicate: place of its first word.
        roleset: the sense, such as turn.02; empty where the source has none.
    """

    predicate: int
    roleset: str
    arguments: tuple[Argument, ...]


class RoleSentence(NamedTuple):
    """A sentence of a corpus with roles.

    Attributes:
        tags: parts of speech (Penn), or None where there are none.
    """

    doc_id: str
    sentence_id: int
    split: str
    tokens: list[str]
    tags: list[str] | None
    propositions: list[Proposition]


def proposition(words: int, roleset: str, arguments: Sequence[Argument], path: str | Path, where: str) -> Proposition:
    """A checked proposition of a sentence of this many words; its predicate begins where the span labelled V does.

    Args:
        path, where: of the file, and of the sentence in it (line 3), for errors.

    Raises:
        InputError: a span outside the sentence, an argument without a label or with a blank in it, not one span
            labelled V, or two spans that share a word.
    """
    for label, first, last in arguments:
        if not 0 <= first <= last < words:
            problem = f"{label} is from word {first} to {last}, the sentence has words 0 to {words - 1}"
            raise WrongRecord(path, where, problem, "an argument outside the sentence")
        if not label or any(mark.isspace() or mark in "()*" for mark in label):
            problem = f"expected a label without blanks, brackets and stars, found {shown(label)}"
            raise WrongRecord(path, where, problem, "a wrong label")
    ordered = tuple(sorted(arguments, key=lambda argument: argument.first))
    for argument, following in pairwise(ordered):
        if following.first <= argument.last:
            problem = (
                f"{argument.label} (words {argument.first} to {argument.last}) and {following.label} "
                f"({following.first} to {following.last}) share a word, so no sequence of brackets stands for them"
            )
            raise WrongRecord(path, where, problem, "arguments that share a word")
    predicates = [argument.first for argument in ordered if argument.label == PREDICATE]
    if len(predicates) != 1:
        problem = (
            f"expected one span labelled {PREDICATE}, the predicate, found {len(predicates)}; further parts of it are "
            f"C-{PREDICATE}"
        )
        raise WrongRecord(path, where, problem, "another number of predicates")
    return Proposition(predicates[0], roleset, ordered)
