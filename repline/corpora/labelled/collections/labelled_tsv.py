"""A table of labelled texts, tab-separated: what a user brings.

    label<TAB>text                 without a head, or
    part<TAB>label<TAB>text        with a head that names the columns, in any order; others are passed over. A label may
                                   be called class, category or sentiment, a text sentence or review
    {"label": ..., "text": ...}    JSON lines in a file called .jsonl, with "part" or without; further keys do not count

`part` is train, dev or test; without it the texts are split. Files may be compressed.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from repline.errors import InputError, shown
from repline.reading.file_names import unpacked_name
from repline.reading.json_text import json_object
from repline.reading.settings import Head
from repline.reading.table_fields import unquoted, unquoted_text
from repline.reading.table_heads import AGAIN, RECORD, in_line, refuse_slip
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

PARTS = ("train", "dev", "test")
LABELS = ("label", "class", "category", "sentiment")  # names of a column in a head; where two are there, the first
TEXTS = ("text", "sentence", "review")


class Row(NamedTuple):
    """A text with its label; `part` is empty where the table has none; `line` of the file."""

    line: int
    label: str
    text: str
    part: str


def read_table(
    path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8", head: Head = "auto"
) -> Iterator[Row]:
    """The rows of a table.

    Args:
        on_error: at a wrong row; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.
        head: whether the first line names the columns; auto recognises `LABELS` and `TEXTS` in any case and order.

    Raises:
        InputError: there is no such file or no row; a first line that names a label or a text alone; a row of more or
            fewer fields than columns, without label or text, or of no known part, with its line.
    """
    left_out, columns, width, rows = LeftOut.of(on_error), {"label": 0, "text": 1}, 2, 0
    is_first, head_line = True, None
    is_json = unpacked_name(path).endswith(".jsonl")
    for number, line in visible_lines(path, encoding, left_out):
        if not line.strip():
            continue
        cells = line.split("\t")
        if is_first and head != "no" and not is_json:
            is_first = False
            names = [cell.strip().lower() for cell in cells]
            label, text = _column_name(names, LABELS), _column_name(names, TEXTS)
            if label in names and text in names:
                columns = {"label": names.index(label), "text": names.index(text)}
                if "part" in names:
                    columns["part"] = names.index("part")
                width, head_line = len(names), line
                continue
            with in_line(path, number):
                refuse_slip(names, (label, text))
            if head == "yes" or label in names or text in names:
                raise InputError(
                    f"{path}, line {number}: expected a head with label and text (or {', '.join(LABELS[1:])}; "
                    f"{', '.join(TEXTS[1:])}), found {shown(line)}; {RECORD}"
                )
        with left_out:
            if line == head_line:
                raise WrongRecord(path, f"line {number}", AGAIN, "the head again")
            yield _json_row(path, number, line) if is_json else _row(path, number, cells, columns, width)
            rows += 1
    if not rows:
        raise InputError(f"{path}: expected rows of label, tab, text, found none")


def _column_name(names: Sequence[str], usual_names: Sequence[str]) -> str:
    """What the head calls a column, also in quotation marks; the usual name where it has none."""
    return next((name for name in usual_names if name in names or f'"{name}"' in names), usual_names[0])


def _json_row(path: str | Path, number: int, line: str) -> Row:
    try:
        record = json_object(line)
    except ValueError:
        record = {}
    label, text = record.get("label"), record.get("text")
    if not isinstance(label, str) or not isinstance(text, str):
        problem = f'expected a JSON object with "label" and "text", both texts, found {shown(line)}'
        raise WrongRecord(path, f"line {number}", problem, "no JSON object with label and text")
    part = str(record["part"]).strip() if "part" in record else None
    return _checked(path, number, label.strip(), text.strip(), part)


def _row(path: str | Path, number: int, cells: Sequence[str], columns: Mapping[str, int], width: int) -> Row:
    if len(cells) != width:
        row = "\t".join(cells)
        problem = f"expected {' and '.join(columns)} with tabs between them, {width} fields, found {shown(row)}"
        raise WrongRecord(path, f"line {number}", problem, f"{len(cells)} fields instead of {width}")
    label, text = unquoted(cells[columns["label"]].strip()), unquoted_text(cells[columns["text"]].strip())
    return _checked(path, number, label, text, cells[columns["part"]].strip() if "part" in columns else None)


def _checked(path: str | Path, number: int, label: str, text: str, part: str | None) -> Row:
    if not label or not text:
        raise WrongRecord(path, f"line {number}", f"the {'text' if label else 'label'} is empty")
    if part is not None and part not in PARTS:
        raise WrongRecord(path, f"line {number}", f"a part is train, dev or test, found {shown(part)}", "another part")
    return Row(number, label, text, part or "")
