"""CC-CEDICT, the Chinese-English dictionary: its words in both scripts, with their English definitions.

Source: the format of CC-CEDICT, https://cc-cedict.org/wiki/format:syntax
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from repline.corpora.text_files import numbered_lines
from repline.errors import InputError

LINE = re.compile(r"(\S+) (\S+) \[([^\]]*)\] /(.+)/\s*")


class Entry(NamedTuple):
    """One line; a word with several readings has an entry for each."""

    traditional: str
    simplified: str
    definitions: tuple[str, ...]


def entries(path: str | Path) -> Iterator[Entry]:
    """The entries of the dictionary's text file, plain or `.gz`, in its order; lines that begin with # are no entries.

    Raises:
        InputError: a line that is no entry, naming file, line and text; or a file that cannot be read.
    """
    for number, line in numbered_lines(path):
        if not line.strip() or line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        if not match:
            raise InputError(
                f"{path}, line {number}: expected 'traditional simplified [reading] /definition/.../', found {line!r}"
            )
        traditional, simplified, _, definitions = match.groups()
        yield Entry(traditional, simplified, tuple(definitions.split("/")))
