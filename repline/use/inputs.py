"""Raw input as users give it: one item or a list of items, checked for their types.

Texts, words and names are cleaned as every reader of training data cleans them (`clean_text` of
`repline.reading.text_cleaning`): letters are composed with their marks, and characters that one cannot see are left
out.
"""

import math
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, Protocol, TypeVar

from repline.errors import InputError, shown
from repline.parameters import Json
from repline.reading.text_cleaning import clean_text

Answer = TypeVar("Answer")


class Usable(Protocol):
    """What `repline.load` returns, as the command `repline predict` uses it.

    Attributes:
        fields: names of the columns of a line of input, as ("text",) or ("premise", "hypothesis").
        optional_fields: columns that may be left out at the end of a line.
    """

    fields: tuple[str, ...]
    optional_fields: tuple[str, ...]

    def answers(self, rows: Sequence[dict[str, str]]) -> list[dict[str, Json]]:
        """One answer, as JSON can hold it, for each row; rows have the keys `fields`, and all answers the same keys."""
        ...


def text_of(text: Any, call: str, kind: str = "text") -> str:
    """A single text, cleaned.

    Args:
        text: a text.
        call: the method's name, for the error.
        kind: of text, as "word".

    Raises:
        InputError: it is something else, or holds half a character.
    """
    if not isinstance(text, str):
        article = "an" if kind[0] in "aeiou" else "a"
        raise InputError(f'{call} takes {article} {kind}: {call}("{kind}"); found {_kind(text)}')
    return _cleaned(text, call)


def texts_of(texts: Any, call: str, *, as_written: bool = False) -> list[str]:
    """Texts as a list, cleaned.

    Args:
        texts: a text, or a sequence of texts.
        call: the method's name, for the error.
        as_written: do not clean, for an answer that says where something stands in the text.

    Raises:
        InputError: it is something else, such as a list in a list, or a text holds half a character.
    """
    checked = _of_whole_characters if as_written else _cleaned
    if isinstance(texts, str):
        return [checked(texts, call)]
    example = f'{call} takes a text or a list of texts: {call}("a text") or {call}(["a text", "another"])'
    if not _is_sequence(texts):
        raise InputError(f"{example}; found {_no_sequence(texts)}")
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(f"{example}; found {_kind(text)} as item {row}")
    return [checked(text, call) for text in texts]


def pairs_of(pairs: Any, call: str, names: tuple[str, str] = ("first text", "second text")) -> list[tuple[str, str]]:
    """Pairs of texts as a list, cleaned.

    Args:
        pairs: a pair of texts, or a sequence of pairs.
        call: the method's name, for the error.
        names: of the two texts, for the error.

    Raises:
        InputError: as of `texts_of`.
    """
    if _is_pair(pairs):
        return [_pair(pairs, call)]
    first, second = names
    example = (
        f"{call} takes a pair of texts or a list of pairs: "
        f'{call}(("{first}", "{second}")) or {call}([("{first}", "{second}"), ...])'
    )
    if not _is_sequence(pairs):
        raise InputError(f"{example}; found {_no_sequence(pairs)}")
    for row, pair in enumerate(pairs):
        if not _is_pair(pair):
            raise InputError(f"{example}; found {_kind(pair)} as item {row}")
    return [_pair(pair, call) for pair in pairs]


def one_or_all(items: Any, answers: list[Answer], is_one: Callable[[Any], bool] | None = None) -> Answer | list[Answer]:
    """The only answer where `items` was a single one, else all of them.

    Args:
        items: as the user gave them.
        is_one: whether `items` is a single one; by default whether it is a str.
    """
    single = isinstance(items, str) if is_one is None else is_one(items)
    return answers[0] if single else answers


def is_pair(value: Any) -> bool:
    """Whether a value is one pair of texts; a list of two texts is one, too."""
    return _is_pair(value)


def whole_number(value: Any, name: str, least: int) -> int:
    """A whole number that a user gave, of Python or NumPy.

    Args:
        value: that was given.
        name: of the argument, for the error.
        least: the smallest number that is one.

    Raises:
        InputError: it is something else, such as "3", 2.5, True or None, or less than `least`.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InputError(f"expected a whole number of {least} or more as {name}, found {shown(value)}")
    return int(value)


def finite_number(value: Any, name: str) -> float:
    """A number that a user gave, of Python or NumPy; InputError for something else, as "0.5", and for infinity and NaN.

    Args:
        value: that was given.
        name: of the argument, for the error.
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise InputError(f"expected a number as {name}, found {shown(value)}")
    return float(value)


def probability(value: Any, name: str) -> float:
    """A number from 0 to 1 that a user gave; InputError for something else, as 50 for 50 %.

    Args:
        value: that was given.
        name: of the argument, for the error.
    """
    if not 0 <= finite_number(value, name) <= 1:
        raise InputError(f"expected a number from 0 to 1 as {name}, found {shown(value)}")
    return float(value)


def in_batches(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """Slices of `items` of `size` each, the last one shorter; InputError for a size that is no whole number from 1."""
    size = whole_number(size, "batch", 1)
    return [items[start : start + size] for start in range(0, len(items), size)]


def by_length(lengths: Sequence[int], room: int) -> list[list[int]]:
    """Batches of row numbers, those of similar length in one, so that padding fits too.

    Args:
        lengths: of each row.
        room: the largest number of rows times the longest of them; a single row may be longer.
    """
    batches: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lambda row: lengths[row]):
        if not batches or (len(batches[-1]) + 1) * lengths[row] > room:
            batches.append([])
        batches[-1].append(row)
    return batches


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_pair(value: Any) -> bool:
    return _is_sequence(value) and len(value) == 2 and all(isinstance(text, str) for text in value)


def _pair(pair: Sequence[str], call: str) -> tuple[str, str]:
    return _cleaned(pair[0], call), _cleaned(pair[1], call)


def _cleaned(text: str, call: str) -> str:
    return clean_text(_of_whole_characters(text, call))


def _of_whole_characters(text: str, call: str) -> str:
    """The text as a plain str; InputError for half of a surrogate pair, which libraries refuse, each in its way.

    The items of a NumPy array of texts are of a class of its own, which spaCy does not take.
    """
    text = str(text)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start]
        raise InputError(
            f"{call}: a text holds {shown(half)}, half of a surrogate pair and no character; leave it out"
        ) from None
    return text


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    return f"a value of type {type(value).__name__}"


def _no_sequence(value: Any) -> str:
    """What was found in place of a list; of a column of NumPy, pandas or Arrow also what to give instead."""
    is_column = hasattr(value, "tolist") and hasattr(value, "__len__")
    return f"{_kind(value)}; give its tolist()" if is_column else _kind(value)
