"""Fields of a line of a table: quotation marks around them, and the numbers they say."""

import csv
import math
from collections.abc import Iterable
from pathlib import Path

from repline.errors import InputError, shown

csv.field_size_limit(2**31 - 1)  # a field may be as long as a file
LARGEST_WHOLE = 1 << 63  # what is as large does not fit into a column


def table_fields(line: str, separator: str = "\t") -> list[str]:
    """The fields of a line of a table that may stand in quotation marks, those within being doubled.

    A quotation mark that nothing closes on its line is a character like another.
    """
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error as error:
        if "unexpected end" in str(error):
            return line.split(separator)
        return next(csv.reader([line], delimiter=separator), [])


def unquoted(field: str) -> str:
    """A field of a table without the quotation marks that enclose it, where those within are doubled."""
    inner = field[1:-1].replace('""', "")
    if len(field) > 1 and field.startswith('"') and field.endswith('"') and '"' not in inner:
        return field[1:-1].replace('""', '"')
    return field


def unquoted_text(field: str) -> str:
    """`unquoted` of a text, which may be a quotation: only where marks within are doubled, as a table doubles them."""
    return unquoted(field) if '""' in field[1:-1] else field


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
