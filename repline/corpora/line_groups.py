"""Lines that are one record together: paragraphs of a file, and parallel lines of several files."""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import checked_lines
from repline.reading.wrong_records import LeftOut, WrongRecord

END = "\n"  # no line of a file, so that it stands for the lines behind the last one


def paragraphs(path: str | Path, encoding: str, left_out: LeftOut) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """The lines between blank ones with their numbers, and where they begin: one behind the blank line before them.

    A paragraph with a line outside the encoding is left out as a whole, or ends the reading, as `left_out` says.
    Invisible characters are taken out, and counted there.
    """
    unreadable = list[WrongRecord]()
    lines: list[tuple[int, str]] = []
    start = number = 1
    for number, line in checked_lines(path, encoding, unreadable.append if left_out.on_error == "salvage" else None):
        if (line := clean_text(line, left_out.invisible)).strip():
            lines.append((number, line))
            continue
        if unreadable:
            left_out.add(unreadable[0])
        elif lines:
            yield start, lines
        lines, start = [], number + 1
        unreadable.clear()
    if unreadable:
        left_out.add(unreadable[0])
    elif lines:
        yield start, lines


def lines_in_place(path: str | Path, encoding: str, left_out: LeftOut) -> Iterator[str | None]:
    """The lines of one of several files that belong together line by line, with None for those that are left out.

    In a file of other line ends a lonely CR is white space, so that it moves no line against its partner.
    """
    missing = 0

    def refuse(problem: WrongRecord) -> None:
        nonlocal missing
        left_out.add(problem)
        missing += 1

    for _, line in checked_lines(path, encoding, refuse, mixed_ends=False):
        yield from repeat(None, missing)
        missing = 0
        yield line
    yield from repeat(None, missing)
