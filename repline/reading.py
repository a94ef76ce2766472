"""How files that a user brings are read: settings that every reader of text has alike."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypedDict

from repline.errors import InputError, shown
from repline.parameters import Json, Section
from repline.text_files import unquoted
from repline.wrong_records import LeftOut, OnError, WrongRecord

Head = Literal["auto", "yes", "no"]  # whether the first line of a table names its columns
PART_NAMES: dict[str, Literal["train", "dev", "test"]] = {  # what a part is called in the name of a file
    "train": "train",
    "dev": "dev",
    "valid": "dev",
    "validation": "dev",
    "val": "dev",
    "test": "test",
}
DEV_NAMES = tuple(name for name, part in PART_NAMES.items() if part == "dev")
AGAIN = "the head is there again; join tables without their heads"
RECORD = "where this line is a record, put a head above it, or set head to no where there is such a setting"
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


def head_columns(
    head: Head, path: str | Path, fields: Iterable[str], heads: Iterable[tuple[str, ...]]
) -> Sequence[int] | None:
    """Where the columns that a reader expects stand in a table, by its first line; None where that is a record.

    >>> head_columns("auto", "a.tsv", ["Caption", "Image"], [("image", "caption")])
    [1, 0]

    Args:
        head: auto recognises the words of a head, in any case and order.
        path: for errors.
        fields: of the line.
        heads: what the columns may be called, in the order that the reader expects.

    Raises:
        InputError: the line is a head with a slip in one name.
    """
    if head == "no":
        return None
    words = tuple(field.strip().lower() for field in fields)
    alike = [names for names in heads if len(names) == len(words)]
    for names in alike:
        if sorted(names) == sorted(words):
            return [words.index(name) for name in names]
    if head == "yes":
        return range(len(words))
    for names in alike:
        refuse_slip(path, words, names)
    return None


def is_head(head: Head, path: str | Path, fields: Iterable[str], heads: Iterable[tuple[str, ...]]) -> bool:
    """Whether the first line of a table names its columns, for a reader that knows one order of them.

    Raises:
        InputError: the head has another order, or as in `head_columns`.
    """
    columns = head_columns(head, path, fields, heads)
    if columns is not None and list(columns) != sorted(columns):
        orders = " or ".join(sorted(", ".join(names) for names in heads if len(names) == len(columns)))
        raise InputError(f"{path}, line 1: the head names the columns in another order; expected {orders}; {RECORD}")
    return columns is not None


def refuse_slip(path: str | Path, words: Sequence[str], names: Sequence[str]) -> None:
    """Refuse a first line that is a head with a slip: one name that is nearly right, or quotation marks.

    It would be read as a record, and the columns as if the file did not name them.
    """
    bare = [word.strip('"') for word in words]
    if bare != list(words) and set(names) <= set(bare):
        raise InputError(
            f"{path}, line 1: the names of the columns stand in quotation marks; write the table without them; {RECORD}"
        )
    missing = [name for name in names if name not in words]
    others = [word for word in words if word not in names]
    if len(missing) == 1 and (near := get_close_matches(missing[0], others, 1, 0.5)):
        raise InputError(
            f"{path}, line 1: {shown(near[0])} is nearly the name {shown(missing[0])} of a column; correct it; {RECORD}"
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


def is_number(text: str) -> bool:
    """Whether a field of a table says a `finite_number`."""
    try:
        finite_number(text)
    except ValueError:
        return False
    return True


def in_marks(words: Iterable[str]) -> bool:
    """Whether every field of a table of words that is no number stands in quotation marks, as R and pandas write it.

    >>> in_marks(['"tiger"', '"cat"', "7.3"]), in_marks(['"', "cat"]), in_marks(["7.3"])
    (True, False, False)
    """
    has_marks = False
    for field in words:
        if unquoted(field) != field:
            has_marks = True
        elif not is_number(field):
            return False
    return has_marks


def refuse_marks(path: str | Path, words: Iterable[str]) -> None:
    """Refuse words or names that are all `in_marks`: the marks would be read as a part of them."""
    if in_marks(words):
        raise InputError(f"{path}: every word stands in quotation marks; write the table without them")


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


def rows_below_head(
    path: str | Path,
    lines: Iterable[tuple[int, str]],
    left_out: LeftOut,
    columns_of: Callable[[str], Sequence[int] | None],
) -> Iterator[tuple[int, str]]:
    """`below_head` of a table with tabs, the fields of each line in the order that its reader expects.

    Args:
        path, lines, left_out: as there.
        columns_of: where the columns stand, by the first filled line; None where that is a record: `head_columns`.
    """
    columns: Sequence[int] | None = None

    def is_head_line(line: str) -> bool:
        nonlocal columns
        columns = columns_of(line)
        return columns is not None

    for number, line in below_head(path, lines, left_out, is_head_line):
        fields = line.split("\t")
        if columns is not None and len(fields) == len(columns):
            line = "\t".join(fields[column] for column in columns)
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
