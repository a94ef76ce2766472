"""How files that a user brings are read: settings that every reader of text has alike."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypedDict

from repline.errors import InputError, shown
from repline.parameters import Json, Section
from repline.wrong_records import LeftOut, OnError, WrongRecord

Head = Literal["auto", "yes", "no"]  # whether the first line of a table names its columns
AGAIN = "the head is there again; join tables without their heads"
LARGEST_WHOLE = 1 << 63  # what is as large does not fit into a column


class TableReading(TypedDict, total=False):
    """Arguments of readers: what a wrong record does, or an account of wrong ones; and the encoding, see `Reading`."""

    on_error: OnError | LeftOut
    encoding: str


class LineReading(Section):
    """What is done with a file of lines that is not as expected.

    Attributes:
        on_error: stop at a wrong record; or salvage: leave it out, count it by reason on the card, name the first five.
        encoding: of files without a byte order mark.
    """

    on_error: OnError = "stop"
    encoding: str = "utf-8"

    def arguments(self, left_out: LeftOut | None = None) -> TableReading:
        """The arguments of a reader, with an account that the caller reads later, or a new one."""
        return TableReading(on_error=LeftOut.of(left_out or self.on_error), encoding=self.encoding)

    def reading(self) -> dict[str, Json]:
        """What differs from the defaults, for the parameters of a card."""
        return self.model_dump(include=set(Reading.model_fields), exclude_defaults=True)


class Reading(LineReading):
    """What is done with a table that is not as expected.

    Attributes:
        head: whether the first line of a table names its columns; auto recognises it by its words.
    """

    head: Head = "auto"


def is_head(head: Head, path: str | Path, fields: Iterable[str], heads: Iterable[tuple[str, ...]]) -> bool:
    """Whether the first line of a table names its columns.

    Args:
        head: auto recognises the words of a head, in any case.
        path: for errors.
        fields: of the line.
        heads: what the columns may be called.

    Raises:
        InputError: the line is a head with a slip in one name.
    """
    if head != "auto":
        return head == "yes"
    words = tuple(field.strip().lower() for field in fields)
    alike = [names for names in heads if len(names) == len(words)]
    if words in alike:
        return True
    for names in alike:
        refuse_slip(path, words, names)
    return False


def refuse_slip(path: str | Path, words: Sequence[str], names: Sequence[str]) -> None:
    """Refuse a first line that is a head with a slip: one name that is nearly right, or quotation marks.

    It would be read as a record, and the columns as if the file did not name them.
    """
    bare = [word.strip('"') for word in words]
    if bare != list(words) and set(names) <= set(bare):
        raise InputError(
            f"{path}, line 1: the names of the columns stand in quotation marks; write the table without them, or set "
            "head to no where this line is a record"
        )
    missing = [name for name in names if name not in words]
    others = [word for word in words if word not in names]
    if len(missing) == 1 and (near := get_close_matches(missing[0], others, 1, 0.5)):
        raise InputError(
            f"{path}, line 1: {shown(near[0])} is nearly the name {shown(missing[0])} of a column; correct it, or set "
            "head to no where this line is a record"
        )


def recipe_values(corpus: LineReading, **kwargs: Any) -> dict[str, Json]:
    """`model_dump` of a recipe, with the settings of reading only where they differ from the defaults."""
    values = corpus.model_dump(**kwargs)
    return {name: value for name, value in values.items() if name not in Reading.model_fields} | corpus.reading()


def finite_number(text: str) -> float:
    """The number that a field of a table says.

    Raises:
        ValueError: it is no decimal number, infinite, or no number (NaN); with what was found.
    """
    try:
        value = math.nan if "_" in text else float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"expected a finite number, found {shown(text)}")
    return value


def whole_number(text: str) -> int:
    """The whole number that a field of a table says, in 64 bits; ValueError with what was found for anything else."""
    try:
        value = LARGEST_WHOLE if "_" in text else int(text)
    except ValueError:
        value = LARGEST_WHOLE
    if abs(value) >= LARGEST_WHOLE:
        raise ValueError(f"expected a whole number, found {shown(text)}")
    return value


def below_head(
    path: str | Path, lines: Iterable[tuple[int, str]], left_out: LeftOut, is_head_line: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """The filled lines of a table with their numbers, but the first where it is a head.

    The same head further below, as where tables were joined, is a wrong record.

    Args:
        path: for errors.
        lines: of the file, with their numbers.
        left_out: what a wrong record does.
        is_head_line: whether the first filled line names the columns.
    """
    head = None
    filled = ((number, line) for number, line in lines if line.strip())
    for row, (number, line) in enumerate(filled):
        if row == 0 and is_head_line(line):
            head = line.rstrip()
        elif line.rstrip() == head:
            left_out.add(WrongRecord(path, f"line {number}", AGAIN, "the head again"))
        else:
            yield number, line


def json_object(text: str) -> dict[str, Json]:
    """The object that a line of JSON says.

    Raises:
        ValueError: no JSON, no object, a key that is there twice, a number that is NaN, half of a character (a
            lonely surrogate), or too many brackets in each other.
    """
    try:
        value = json.loads(text, object_pairs_hook=_with_distinct_keys, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("too many brackets in each other") from None
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, found {type(value).__name__}")
    if "\\ud" in text.lower():
        json.dumps(value, ensure_ascii=False).encode()  # fails for half a character, with an error that is a ValueError
    return value


def _with_distinct_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key is there twice")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
