"""Lines and JSON lines as records for a model, and a model's answers as JSON lines or as a table."""

import io
import json
import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from repline.errors import InputError, in_one_line, readable, shown
from repline.parameters import JsonObject
from repline.reading.file_names import present
from repline.reading.json_text import json_object
from repline.reading.text_files import checked_lines
from repline.reading.wrong_records import LeftOut, WrongRecord

STANDARD = "-"  # the name of the standard input and output
_OBJECT = re.compile(r'\s*\{\s*"')  # the beginning of a JSON object that has a key
_ARRAY = re.compile(r'\s*\[\s*\{\s*"')
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")  # gzip, bzip2, xz, Zstandard


class Record(NamedTuple):
    """The fields of one line of the input, whose number counts from 1."""

    line: int
    values: dict[str, str]


@contextmanager
def opened(file: str, encoding: str = "utf-8", left_out: LeftOut | None = None) -> Iterator[Iterable[tuple[int, str]]]:
    """The numbered lines of a text file, or of the standard input for "-", each as it comes: `checked_lines`.

    Args:
        left_out: an account that takes lines outside the encoding; by default the first one ends the reading.
    """
    if file != STANDARD and not present(file).exists():
        raise InputError(f"{file}: there is no such file")
    refuse = LeftOut.of(left_out or "stop").add
    read = _standard_lines(encoding, refuse) if file == STANDARD else checked_lines(file, encoding, refuse)
    with closing(read) as lines:
        yield lines


def read_records(
    lines: Iterable[tuple[int, str]],
    name: str,
    fields: Sequence[str],
    optional_fields: Sequence[str] = (),
    form: str | None = None,
    left_out: LeftOut | None = None,
    otherwise: str = ", or say --input text",
) -> Iterator[Record]:
    """One record for each line: a JSON object with the fields, or the fields separated by tabs.

    Where a model has one field a line that is no JSON is its value as a whole; an empty line is an empty value.

    Args:
        lines: of the input, numbered, without their ends.
        name: of the input, for errors.
        fields: names of the columns.
        optional_fields: columns that may be missing at the end.
        form: "json" or "text"; None for JSON where the first filled line begins as an object with a key, `{"`, else
            text. Empty lines of JSON are passed over.
        left_out: an account that takes wrong lines; by default the first one ends the reading.
        otherwise: the end of messages about JSON, how a command is told that lines are none; "" where it cannot be.

    Raises:
        InputError: a line has fields too few or too many, or is no such object. Names the line.
    """
    numbered = iter(lines)
    if form is None:
        form, numbered = _with_form(numbered, name, otherwise)
    account = LeftOut.of(left_out or "stop")
    for number, line in numbered:
        if form == "json" and not line.strip():
            continue
        try:
            if form == "json":
                values = _json_values(line, fields, optional_fields, otherwise)
            else:
                values = _separated_values(line, fields, optional_fields)
        except InputError as error:
            account.add(WrongRecord(name, f"line {number}", str(error)))
        else:
            yield Record(number, values)


def _with_form(lines: Iterator[tuple[int, str]], name: str, otherwise: str) -> tuple[str, Iterator[tuple[int, str]]]:
    """The form of the first line that is not empty, and all lines."""
    read: list[tuple[int, str]] = []
    for number, line in lines:
        read.append((number, line))
        if _ARRAY.match(line):
            raise InputError(
                f"{name}, line {number}: this is an array of JSON; write each object on a line of its own{otherwise}"
            )
        if line.strip():
            return ("json" if _OBJECT.match(line) else "text"), chain(read, lines)
    return "text", iter(read)


def _standard_lines(encoding: str, refuse: Callable[[WrongRecord], None]) -> Generator[tuple[int, str], None, None]:
    """The numbered lines of the standard input; InputError where it is closed, or packed."""
    if sys.stdin is None:
        raise InputError(f"{STANDARD}: the standard input is closed")
    stream = sys.stdin.buffer
    if isinstance(stream, io.BufferedReader) and stream.peek(4).startswith(_PACKED):
        raise InputError(f"{STANDARD}: the standard input is packed; name the file itself, or unpack it before")
    yield from checked_lines(STANDARD, encoding, refuse, stream=stream)


def standard_output() -> TextIO:
    """Where answers are written; InputError where it is closed."""
    if sys.stdout is None:
        raise InputError(f"{STANDARD}: the standard output is closed")
    return sys.stdout


def write_json_lines(records: Iterable[JsonObject], out: TextIO) -> None:
    """A JSON object on a line for each record."""
    for record in records:
        out.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")


def write_table(records: Iterable[JsonObject], out: TextIO, first_columns: Sequence[str] = ()) -> None:
    """Records as TSV with a head line; a list or a mapping in a cell is JSON, None is empty.

    Args:
        records: all with the keys of the first one, apart from `first_columns`.
        out: is written to line by line.
        first_columns: columns that a record may lack; the other keys of the first record follow them.

    Raises:
        InputError: a later record has a further key.
    """
    columns: list[str] = []
    for number, record in enumerate(records, start=1):
        if not columns:
            columns = list(dict.fromkeys([*first_columns, *record]))
            out.write("\t".join(columns) + "\n")
        if further := [key for key in record if key not in columns]:
            raise InputError(
                f"answer {number} has {shown(further[0])} besides the columns {', '.join(columns)} of the table; "
                "write JSON lines, which may differ"
            )
        out.write("\t".join(_cell(record.get(column)) for column in columns) + "\n")


def _separated_values(line: str, fields: Sequence[str], optional_fields: Sequence[str]) -> dict[str, str]:
    allowed = [*fields, *optional_fields]
    if len(allowed) == 1:
        return {allowed[0]: line}
    values = line.split("\t")
    if not len(fields) <= len(values) <= len(allowed):
        counted = "1 field" if len(values) == 1 else f"{len(values)} fields"
        raise InputError(f"expected {_columns(fields, optional_fields)} separated by tabs, found {counted}")
    return dict(zip(allowed, values, strict=False))


def _json_values(line: str, fields: Sequence[str], optional_fields: Sequence[str], otherwise: str) -> dict[str, str]:
    try:
        record = json_object(line)
    except ValueError as error:
        raise InputError(f"expected a JSON object ({in_one_line(error)}); write every line as one{otherwise}") from None
    missing = [field for field in fields if field not in record]
    if missing:
        raise InputError(
            f"expected the field {shown(missing[0])}, found {readable(', '.join(map(repr, record))) or 'none'}"
        )
    present_fields = [field for field in [*fields, *optional_fields] if field in record]
    for field in present_fields:
        if not isinstance(record[field], str):
            raise InputError(f"expected a text as {shown(field)}, found {type(record[field]).__name__}")
    return {field: str(record[field]) for field in present_fields}


def _columns(fields: Sequence[str], optional_fields: Sequence[str]) -> str:
    return ", ".join([*fields, *(f"[{field}]" for field in optional_fields)])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return re.sub(r"[\t\r\n]", " ", value)
    return json.dumps(value, ensure_ascii=False)


def total_lines(file: str) -> int | None:
    """How many lines a file has; None for the standard input."""
    if file == STANDARD or not Path(file).is_file():
        return None
    with open(file, "rb") as data:
        return sum(block.count(b"\n") for block in iter(lambda: data.read(1 << 20), b""))
