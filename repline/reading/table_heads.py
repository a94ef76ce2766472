"""Heads of tables: the first line, where it names the columns."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

from repline.errors import InputError, shown
from repline.reading.settings import Head
from repline.reading.wrong_records import LeftOut, WrongRecord

AGAIN = "the head is there again; join tables without their heads"
RECORD = "where this line is a record, put a head above it, or set head to no where there is such a setting"


class WrongHead(ValueError):
    """A head with something wrong in it; the message is what was expected and what was found, see `in_line`."""


@contextmanager
def in_line(path: str | Path, number: int) -> Iterator[None]:
    """Raise `InputError` for a `WrongHead`: its message, after the file and the number of the line."""
    try:
        yield
    except WrongHead as error:
        raise InputError(f"{path}, line {number}: {error}") from None


def head_columns(head: Head, fields: Iterable[str], heads: Iterable[tuple[str, ...]]) -> Sequence[int] | None:
    """Where the columns that a reader expects stand in a table, by its first line; None where that is a record.

    >>> head_columns("auto", ["Caption", "Image"], [("image", "caption")])
    [1, 0]

    Args:
        head: auto recognises the words of a head, in any case and order.
        fields: of the line.
        heads: what the columns may be called, in the order that the reader expects.

    Raises:
        WrongHead: the line is a head with a slip in one name.
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
        refuse_slip(words, names)
    return None


def is_head(head: Head, fields: Iterable[str], heads: Iterable[tuple[str, ...]]) -> bool:
    """Whether the first line of a table names its columns, for a reader that knows one order of them.

    Raises:
        WrongHead: the head has another order, or as in `head_columns`.
    """
    columns = head_columns(head, fields, heads)
    if columns is not None and list(columns) != sorted(columns):
        orders = " or ".join(sorted(", ".join(names) for names in heads if len(names) == len(columns)))
        raise WrongHead(f"the head names the columns in another order; expected {orders}; {RECORD}")
    return columns is not None


def refuse_slip(words: Sequence[str], names: Sequence[str]) -> None:
    """Refuse a first line that is a head with a slip: one name that is nearly right, or quotation marks.

    It would be read as a record, and the columns as if the file did not name them.

    Raises:
        WrongHead: the line is such a head.
    """
    bare = [word.strip('"') for word in words]
    if bare != list(words) and set(names) <= set(bare):
        raise WrongHead(f"the names of the columns stand in quotation marks; write the table without them; {RECORD}")
    missing = [name for name in names if name not in words]
    others = [word for word in words if word not in names]
    if len(missing) == 1 and (near := get_close_matches(missing[0], others, 1, 0.5)):
        raise WrongHead(f"{shown(near[0])} is nearly the name {shown(missing[0])} of a column; correct it; {RECORD}")


def below_head(
    path: str | Path, lines: Iterable[tuple[int, str]], left_out: LeftOut, is_head_line: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """The filled lines of a table with their numbers, but the first where it is a head.

    The same head further below, as where tables were joined, is a wrong record.

    Args:
        path: for errors.
        lines: of the file, with their numbers.
        left_out: what a wrong record does.
        is_head_line: whether the first filled line names the columns; it may raise `WrongHead`.

    Raises:
        InputError: the head is wrong, with its line.
    """
    filled = ((number, line) for number, line in lines if line.strip())
    number, first = next(filled, (0, ""))
    if not first:
        return
    with in_line(path, number):
        head = first.rstrip() if is_head_line(first) else None
    if head is None:
        yield number, first
    for number, line in filled:
        if line.rstrip() == head:
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
