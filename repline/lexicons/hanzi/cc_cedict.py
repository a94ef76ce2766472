"""CC-CEDICT, the free Chinese-English dictionary, in its own text format.

    傳統 传统 [chuan2 tong3] /tradition/traditional/

In the second version of the format a reading stands in double brackets, [[chuan2tong3]].

Source: https://cc-cedict.org/wiki/format:syntax
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from repline.errors import InputError, shown
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

_ENTRY = re.compile(r"(\S+) (\S+) \[(\[)?([^\]]*)\](?(3)\]) /(.+)/")


class Entry(NamedTuple):
    """A word in both kinds of characters, its reading in numbered Pinyin, and its meanings in English."""

    traditional: str
    simplified: str
    pinyin: str
    meanings: tuple[str, ...]


def read_cc_cedict(
    path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Entry]:
    """The entries of a dictionary file, plain or `.gz`, in its order; lines that begin with # are comments.

    A word with several readings has several entries.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: no such file, a broken line (naming it), or no entry at all.
    """
    has_entry, left_out = False, LeftOut.of(on_error)
    for number, line in visible_lines(path, encoding, left_out):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = _ENTRY.fullmatch(line)
        if not match:
            problem = f"expected `TRADITIONAL SIMPLIFIED [pinyin] /meaning/.../`, found {shown(line)}"
            left_out.add(WrongRecord(path, f"line {number}", problem, "no entry of CC-CEDICT"))
            continue
        traditional, simplified, _, pinyin, meanings = match.groups()
        has_entry = True
        yield Entry(traditional, simplified, pinyin, tuple(meanings.split("/")))
    if not has_entry:
        raise InputError(f"{path}: expected entries of CC-CEDICT, found none")
