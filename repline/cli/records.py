"""Lines and JSON lines as records for a model, and a model's answers as JSON lines or as a table."""

import io
import json
import re
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from repline.errors import InputError, in_one_line, readable, shown
from repline.parameters import JsonObject
from repline.reading import json_object
from repline.text_files import checked_lines, present

STANDARD = "-"  # the name of the standard input and output
_OBJECT = re.compile(r'\s*\{\s*"')  # the beginning of a JSON object that has a key
_ARRAY = re.compile(r'\s*\[\s*\{\s*"')
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")  # gzip, bzip2, xz, Zstandard


@contextmanager
def opened(file: str) -> Iterator[Iterable[str]]:
    """The lines of a text file (`repline.text_files`), or of the standard input for "-", each as soon as it comes."""
    if file != STANDARD and not present(file).exists():
        raise InputError(f"{file}: there is no such file")
    with closing(_standard_lines() if file == STANDARD else checked_lines(file)) as lines:
        yield (line for _, line in lines)


def read_records(
    lines: Iterable[str],
    name: str,
    fields: Sequence[str],
    optional_fields: Sequence[str] = (),
    form: str | None = None,
) -> Iterator[dict[str, str]]:
    """One record for each line: a JSON object with the fields, or the fields separated by tabs.

    Where a model has one field a line that is no JSON is its value as a whole; an empty line is an empty value.

    Args:
        lines: of the input, without their ends.
        name: of the input, for errors.
        fields: names of the columns.
        optional_fields: columns that may be missing at the end.
        form: "json" or "text"; None for JSON where the first filled line begins as an object with a key, `{"`, else
            text. Empty lines of JSON are passed over.

    Raises:
        InputError: a line has fields too few or too many, is no such object, or is not UTF-8. Names the line.
    """
    allowed = [*fields, *optional_fields]
    numbered: Iterator[tuple[int, str]] = enumerate(lines, start=1)
    if form is None:
        form, numbered = _with_form(numbered, name)
    for number, line in numbered:
        if form == "json":
            if line.strip():
                yield _json_record(line, f"{name}, line {number}", fields, allowed)
        elif len(allowed) == 1:
            yield {allowed[0]: line}
        else:
            values = line.split("\t")
            if not len(fields) <= len(values) <= len(allowed):
                raise InputError(
                    f"{name}, line {number}: expected {_columns(fields, optional_fields)} separated by tabs, "
                    f"found {len(values)} fields"
                )
            yield dict(zip(allowed, values, strict=False))


def _with_form(lines: Iterator[tuple[int, str]], name: str) -> tuple[str, Iterator[tuple[int, str]]]:
    """The form of the first line that is not empty, and all lines."""
    read: list[tuple[int, str]] = []
    for number, line in lines:
        read.append((number, line))
        if _ARRAY.match(line):
            raise InputError(
                f"{name}, line {number}: this is an array of JSON; write each object on a line of its own, or say "
                "--input text"
            )
        if line.strip():
            return ("json" if _OBJECT.match(line) else "text"), chain(read, lines)
    return "text", iter(read)


def _standard_lines() -> Generator[tuple[int, str], None, None]:
    """The numbered lines of the standard input; InputError where it is closed, or packed."""
    if sys.stdin is None:
        raise InputError(f"{STANDARD}: the standard input is closed")
    stream = sys.stdin.buffer
    if isinstance(stream, io.BufferedReader) and stream.peek(4).startswith(_PACKED):
        raise InputError(f"{STANDARD}: the standard input is packed; name the file itself, or unpack it before")
    yield from checked_lines(STANDARD, stream=stream)


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


def _json_record(line: str, where: str, fields: Sequence[str], allowed: Sequence[str]) -> dict[str, str]:
    try:
        record = json_object(line)
    except ValueError as error:
        raise InputError(
            f"{where}: expected a JSON object ({in_one_line(error)}); write every line as one, or say --input text"
        ) from None
    missing = [field for field in fields if field not in record]
    if missing:
        raise InputError(
            f"{where}: expected the field {shown(missing[0])}, found {readable(', '.join(map(repr, record))) or 'none'}"
        )
    for field in allowed:
        if field in record and not isinstance(record[field], str):
            raise InputError(f"{where}: expected a text as {shown(field)}, found {type(record[field]).__name__}")
    return {field: str(record[field]) for field in allowed if field in record}


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
