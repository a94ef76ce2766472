"""Bitexts that the tokenizer of Moses wrote, with eight characters as references: `don &apos;t`, `R &amp; D`.

Files are read so where all sides together have none of the eight characters but in these references, and where a
quotation mark or an apostrophe is among them. Text that only speaks of `&amp;` stays as it is: it has a mark of its own
somewhere, or no reference of one.

Source: Moses' scripts/tokenizer/tokenizer.perl and deescape-special-chars.perl
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from repline.corpora.line_groups import lines_in_place
from repline.reading.text_files import checked_lines
from repline.reading.wrong_records import LeftOut

CHARACTERS = {
    "&amp;": "&",
    "&#124;": "|",
    "&lt;": "<",
    "&gt;": ">",
    "&apos;": "'",
    "&quot;": '"',
    "&#91;": "[",
    "&#93;": "]",
}
READ = "references that Moses' tokenizer wrote, with their characters"  # how a card counts them
_REFERENCE = re.compile("|".join(CHARACTERS))
_BARE = re.compile(r"[|<>'\"\[\]]|&(?!(?:amp|#124|lt|gt|apos|quot|#91|#93);)")
_MARK = re.compile("&(?:apos|quot);")


def lines_of_sides(paths: Sequence[Path], encoding: str, left_out: LeftOut) -> list[Iterator[str | None]]:
    """`lines_in_place` of the sides of a bitext; the characters that Moses' tokenizer escaped are read, and counted."""
    sides = [lines_in_place(path, encoding, left_out) for path in paths]
    return [_unescaped(side, left_out) for side in sides] if are_escaped(paths, encoding) else sides


def are_escaped(paths: Sequence[Path], encoding: str) -> bool:
    """Whether the sides of a bitext are as Moses' tokenizer writes them; most files say no by their first lines."""
    has_mark = False
    for path in paths:
        for _, line in checked_lines(path, encoding, lambda problem: None, mixed_ends=False):
            if _BARE.search(line):
                return False
            has_mark = has_mark or bool(_MARK.search(line))
    return has_mark


def _unescaped(lines: Iterator[str | None], left_out: LeftOut) -> Iterator[str | None]:
    for line in lines:
        if line is not None and "&" in line:
            line, count = _REFERENCE.subn(lambda reference: CHARACTERS[reference[0]], line)
            left_out.merged[READ] += count
        yield line
