"""Lists of words with their translations and parts of speech: `english<TAB>translation<TAB>POS`, N, V or A."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from repline.errors import InputError, shown
from repline.lexicons.letter_case import without_case
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

POS = {"N": "noun", "V": "verb", "A": "adjective"}
ENTRIES = pa.schema([(name, pa.string()) for name in ("languages", "source", "target", "pos", "path")])
NAME = re.compile(r"(?:^|_)(?P<source>[a-z]{2,3})_(?P<target>[a-z]{2,3})\.txt$")


class Entry(NamedTuple):
    """A word of the source language, its translation, both by `without_case`, and its part of speech."""

    source: str
    target: str
    pos: str


class WordList(NamedTuple):
    """A list, its two languages and the file it is from."""

    source: str
    target: str
    entries: list[Entry]
    path: Path


def read_lists(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> dict[str, WordList]:
    """The lists of a folder by their target language; a file's name ends with both languages: `imgWords_en_de.txt`.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: no such folder or list, several source languages, a language twice, or a line that is not as
            described.
    """
    folder, left_out = Path(folder), LeftOut.of(on_error)
    files = sorted(folder.glob("*")) if folder.is_dir() else []
    files = [path for path in files if unpacked_name(path).endswith(".txt")]
    lists: dict[str, WordList] = {}
    for path in files:
        if named := NAME.search(unpacked_name(path)):
            source, target = named["source"], named["target"]
            if target in lists:
                raise InputError(f"{folder}: {lists[target].path.name} and {path.name} are both lists for {target}")
            lists[target] = WordList(source, target, _entries(path, left_out, encoding), path)
    if not lists:
        raise InputError(f"{folder}: expected lists of words with names like en_de.txt, found none")
    if len(sources := sorted({word_list.source for word_list in lists.values()})) > 1:
        raise InputError(f"{folder}: the lists should have one source language, found {', '.join(sources)}")
    return lists


def as_table(lists: Mapping[str, WordList]) -> pa.Table:
    """Lists as one table with the schema ENTRIES: `languages` is both, as en_de."""
    rows = [
        {"languages": f"{word_list.source}_{word_list.target}", **entry._asdict(), "path": str(word_list.path)}
        for word_list in lists.values()
        for entry in word_list.entries
    ]
    return pa.Table.from_pylist(rows, schema=ENTRIES)


def of_table(table: pa.Table) -> dict[str, WordList]:
    """Lists from a table of `as_table`."""
    lists: dict[str, WordList] = {}
    for row in table.to_pylist():
        source, target = row["languages"].split("_")
        word_list = lists.setdefault(target, WordList(source, target, [], Path(row["path"])))
        word_list.entries.append(Entry(row["source"], row["target"], row["pos"]))
    return lists


def _entries(path: Path, left_out: LeftOut, encoding: str) -> list[Entry]:
    entries = []
    for number, line in visible_lines(path, encoding, left_out):
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 3 or not all(fields) or fields[2] not in POS:
            problem = f"expected `word<TAB>translation<TAB>POS` with N, V or A, found {shown(line)}"
            left_out.add(WrongRecord(path, f"line {number}", problem, "no word, translation and part of speech"))
            continue
        entries.append(Entry(without_case(fields[0]), without_case(fields[1]), POS[fields[2]]))
    if not entries:
        raise InputError(f"{path}: expected words and translations, found none")
    return entries
