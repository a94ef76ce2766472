"""A table of labelled texts, tab-separated: what a user brings.

    label<TAB>text                 without a head, or
    part<TAB>label<TAB>text        with a head that names the columns, in any order; others are passed over

`part` is train, dev or test; without it the texts are split. Files may be compressed (`.gz`).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from repline.errors import InputError
from repline.text_files import numbered_lines

PARTS = ("train", "dev", "test")


class Row(NamedTuple):
    """A text with its label; `part` is empty where the table has none; `line` of the file."""

    line: int
    label: str
    text: str
    part: str


def read_table(path: str | Path) -> Iterator[Row]:
    """The rows of a table.

    Raises:
        InputError: there is no such file or no row; a row without label or text, or of no known part, with its line.
    """
    columns, rows = {"label": 0, "text": 1}, 0
    for number, line in numbered_lines(path):
        cells = line.split("\t")
        if number == 1 and {"label", "text"} <= set(cells):
            columns = {name: cells.index(name) for name in ("label", "text", "part") if name in cells}
            continue
        if not line.strip():
            continue
        if len(cells) <= max(columns.values()):
            raise InputError(
                f"{path}, line {number}: expected {' and '.join(columns)} with tabs between them, found {line[:60]!r}"
            )
        label, text = cells[columns["label"]].strip(), cells[columns["text"]].strip()
        part = cells[columns["part"]].strip() if "part" in columns else ""
        if not label or not text:
            raise InputError(f"{path}, line {number}: the {'text' if label else 'label'} is empty")
        if "part" in columns and part not in PARTS:
            raise InputError(f"{path}, line {number}: a part is train, dev or test, found {part!r}")
        rows += 1
        yield Row(number, label, text, part)
    if not rows:
        raise InputError(f"{path}: expected rows of label, tab, text, found none")
