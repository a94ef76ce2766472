"""Type maps: from types of a knowledge base to fine-grained types, in a table that a user can replace."""

import re
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from repline.errors import InputError, shown
from repline.reading.text_files import numbered_lines

TYPE = re.compile(r"(/[a-z][a-z0-9_]*){1,3}")
FREEBASE = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")
WIKIDATA = re.compile(r"Q[1-9]\d*")
WORDNET = re.compile(r"[^\s:]+:[^\s:]+")
TYPES = pa.schema([("source", pa.string()), ("type", pa.string())])


def read_type_map(
    path: str | Path, sources: re.Pattern[str], has_type: Callable[[str], bool] | None = None
) -> pa.Table:
    """A map from the types of a source to types like those of FIGER.

    Args:
        path: a source type, a tab and a type (/person/author) a line; a source type may stand on several lines. Empty
            lines and those that begin with # do not count.
        sources: what a source type looks like: `FREEBASE`, `WIKIDATA` or `WORDNET`.
        has_type: whether the source has such a type; None where that is not known before reading it.

    Returns:
        `source` and `type`, without repetitions, in the order of the file.

    Raises:
        InputError: no such file, no type in it, or a line that is not as described or has an unknown type (naming it).

    Source: Ling & Weld 2012, "Fine-grained entity recognition", for the types.
    """
    pairs: dict[tuple[str, str], None] = {}
    for number, line in numbered_lines(path):
        if not line.strip() or line.startswith("#"):
            continue
        source, _, kind = (part.strip() for part in line.partition("\t"))
        where = f"{path}, line {number}"
        if not sources.fullmatch(source) or not TYPE.fullmatch(kind):
            raise InputError(
                f"{where}: expected a type of the source, a tab and a type like /person/author, found {shown(line)}"
            )
        if has_type is not None and not has_type(source):
            raise InputError(f"{where}: the source has no type {shown(source)}")
        pairs[source, kind] = None
    if not pairs:
        raise InputError(f"{path}: expected lines with a type of the source and a type like /person/author, found none")
    return pa.table({"source": [source for source, _ in pairs], "type": [kind for _, kind in pairs]}, schema=TYPES)
