"""A sentence and its arguments as two sequences: what an encoder reads, and what a decoder writes.

    source    the trade figures <PRED> turn out well , ...
    target    (# the trade figures P0:A1) (# turn out P0:V) (# well P0:A2) , ...

Words are in lower case; case comes back by place. A word that looks like a mark gets a backslash before it.

Source: Daza & Frank 2018, table 1; only one predicate is labelled at a time, so the prefix is always P0.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from repline.corpora.srl.propositions import Argument

MARK = "<PRED>"  # before the first word of the predicate
OPEN = "(#"
CLOSE = re.compile(r"P0:(.+)\)")
UNSAFE = re.compile(r"\\*\(#")  # the other marks have capitals, which no word keeps


class Reading(NamedTuple):
    """The words and arguments that a target sequence encodes.

    Attributes:
        words: as they are written, in lower case.
        arguments: the spans that one bracket opens and the next bracket closes, in their order.
        balanced: every opening bracket is closed by one label before the next opens, nothing closes that is not open.
    """

    words: list[str]
    arguments: list[Argument]
    balanced: bool


def closing(label: str) -> str:
    """The token behind an argument."""
    return f"P0:{label})"


def source_of(tokens: Sequence[str], predicate: int | None) -> list[str]:
    """The input of the encoder: the words, with a mark before the predicate if there is one."""
    words = [_escaped(token) for token in tokens]
    return words if predicate is None else [*words[:predicate], MARK, *words[predicate:]]


def target_of(tokens: Sequence[str], arguments: Iterable[Argument]) -> list[str]:
    """The target of the decoder: the words, with brackets around the arguments, which must not overlap."""
    starts, ends = {}, {}
    for label, first, last in arguments:
        starts[first], ends[last] = OPEN, closing(label)
    target = []
    for position, token in enumerate(tokens):
        if position in starts:
            target.append(OPEN)
        target.append(_escaped(token))
        if position in ends:
            target.append(ends[position])
    return target


def read_target(target: Iterable[str]) -> Reading:
    """The inverse of `target_of`, for anything that a decoder may write.

    A bracket without its other half, and one around no word, stands for no argument.
    """
    words: list[str] = []
    arguments: list[Argument] = []
    start: int | None = None
    balanced = True
    for token in target:
        label = CLOSE.fullmatch(token)
        if token == OPEN:
            balanced &= start is None
            start = len(words)
        elif label:
            balanced &= start is not None
            if start is not None and start < len(words):
                arguments.append(Argument(label[1], start, len(words) - 1))
            start = None
        else:
            words.append(token[1:] if token.startswith("\\") and UNSAFE.fullmatch(token) else token)
    return Reading(words, arguments, balanced and start is None)


def _escaped(token: str) -> str:
    lower = token.lower()
    return f"\\{lower}" if UNSAFE.fullmatch(lower) else lower
