"""Texts and their translations in files, of six forms.

zh_CN.NAME.mo, ja.NAME.mo         catalogues of gettext, one a language (or .json, Jed's form): same message
NAME.zh.txt, NAME.ja.txt          a text a line, the same line number (and so below); also NAME.zh, NAME.ja, as of
                                  Moses, whose escapes are read, see `moses_escapes`
NAME.zh.conllu, NAME.ja.conllu    sentences of Universal Dependencies: same sent_id
NAME.tsv                          an id, the text in the first language, in the second; or as a head names them. A text
                                  may stand in quotation marks where it has some, which are doubled then
NAME.jsonl                        an object a line: "id", and each language's text under its code
NAME.tmx                          a translation memory: texts of one unit
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from repline.corpora.parallel.language_codes import language_of
from repline.corpora.parallel.message_catalogues import read_catalogue
from repline.corpora.parallel.moses_escapes import lines_of_sides
from repline.corpora.parallel.tmx import read_tmx
from repline.errors import InputError, shown
from repline.reading.file_names import files_by_name, unpacked_name
from repline.reading.json_text import json_object
from repline.reading.settings import Head
from repline.reading.table_fields import unquoted_text
from repline.reading.table_heads import WrongHead, refuse_slip, rows_below_head
from repline.reading.text_files import filled_lines, visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

SIDED = re.compile(r"(?P<name>.+)\.(?P<language>[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*)\.(?P<form>txt|conllu)")
MOSES = re.compile(r"(?P<name>.+)\.(?P<language>[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*)(?P<form>)")
CATALOGUE = re.compile(r"(?P<language>[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*)\.(?P<name>.+)\.(?P<form>mo|json)")
FORMS = (SIDED, CATALOGUE, MOSES)
WHOLE = re.compile(r"(?P<name>.+)\.(?P<form>tsv|jsonl|tmx)")


COLUMNS = (("source", "target"), ("text1", "text2"), ("sentence1", "sentence2"))
KEYS = {"id", "key"}


class Pair(NamedTuple):
    """A text and its translation: `origin` is the NAME of their files, `key` what they have in common there."""

    origin: str
    key: str
    first: str
    second: str


class _Reader(NamedTuple):
    """Reads the forms of files for two languages; wrong records go to `left_out`."""

    languages: Sequence[str]
    left_out: LeftOut
    encoding: str
    head: Head

    def lines(self, path: Path) -> Iterator[tuple[int, str]]:
        return visible_lines(path, self.encoding, self.left_out)

    def table(self, path: Path) -> Iterator[tuple[str, str, str]]:
        for number, line in rows_below_head(path, self.lines(path), self.left_out, self.columns):
            fields = line.split("\t")
            if len(fields) == 3:
                first, second = (unquoted_text(field.strip()) for field in fields[1:])
                yield fields[0], first, second
                continue
            expected = f"expected id, {self.languages[0]} and {self.languages[1]} between tabs, found {shown(line)}"
            self.left_out.add(WrongRecord(path, f"line {number}", expected, f"{len(fields)} fields instead of 3"))

    def columns(self, line: str) -> Sequence[int] | None:
        """Where the id and the texts in the two languages stand, by the first line; None where that is a record."""
        words = [field.strip().lower() for field in line.split("\t")]
        as_said = range(3) if self.head == "yes" else None
        if self.head == "no" or len(words) != 3:
            return as_said
        sides = [self.side(word) for word in words]
        for key in range(3):
            first, second = sorted({0, 1, 2} - {key}, key=lambda column: sides[column] or 0)
            if (sides[first], sides[second]) == (0, 1) and (key == 0 or words[key] in KEYS):
                return key, first, second
        if all(side is not None or word in {"text", *KEYS} for side, word in zip(sides[1:], words[1:], strict=True)):
            raise WrongHead(
                f"expected a head with id, {self.languages[0]} and {self.languages[1]} in any order, "
                f"or a record and head set to no, found {shown(line)}"
            )
        for names in (self.languages, *COLUMNS):
            refuse_slip(words[1:], names)
        return as_said

    def side(self, word: str) -> int | None:
        """Whether a column of this name holds texts in the first language (0), the second (1), or neither (None)."""
        if (language := language_of(word, self.languages)) is not None:
            return self.languages.index(language)
        return next((names.index(word) for names in COLUMNS if word in names), None)

    def objects(self, path: Path) -> Iterator[tuple[str, str, str]]:
        for number, line in filled_lines(path, self.encoding, self.left_out):
            try:
                pair = json_object(line)
            except ValueError:
                problem = f"expected a JSON object, found {shown(line)}"
                self.left_out.add(WrongRecord(path, f"line {number}", problem, "no JSON object"))
                continue
            texts = [pair.get(language) for language in self.languages]
            first, second = texts
            if isinstance(first, str) and isinstance(second, str):
                yield str(pair.get("id", number)), first, second
            elif wrong := [text for text in texts if not isinstance(text, str | None)]:
                problem = f"expected texts, found {shown(wrong[0])}"
                self.left_out.add(WrongRecord(path, f"line {number}", problem, "no text"))
            else:  # a paragraph may lack a language
                self.left_out.pass_over("texts that one of the languages lacks")

    def units(self, path: Path) -> Iterator[tuple[str, str, str]]:
        """Every text of the first language with every text of the second one: a unit may have several variants."""
        for unit in read_tmx(path, self.left_out):
            sides = [unit.of(language) for language in self.languages]
            for language, variants in zip(self.languages, sides, strict=True):
                unit.count_further(language, len(variants), self.left_out)
            for number, ((first_code, first), (second_code, second)) in enumerate(product(*sides)):
                yield unit.key if number == 0 else f"{unit.key} {first_code} {second_code}", first, second

    def sides(self, first: Path, second: Path) -> Iterator[tuple[str, str, str]]:
        sides = [list(lines) for lines in lines_of_sides((first, second), self.encoding, self.left_out)]
        for side, other in (sides, sides[::-1]):
            if len(side) == len(other) + 1 and side[-1] is not None and not side[-1].strip():
                side.pop()  # a blank line at the end of one side is no text
        if len(sides[0]) != len(sides[1]):
            raise InputError(
                f"{first} has {len(sides[0]):,} lines, and {second} has {len(sides[1]):,}; expected as many lines in "
                "both "
                "languages"
            )
        for number, (first_text, second_text) in enumerate(zip(*sides, strict=True), start=1):
            if first_text is not None and second_text is not None:
                yield str(number), first_text, second_text

    def sentences(self, first: Path, second: Path) -> Iterator[tuple[str, str, str]]:
        sides = [self.texts(path) for path in (first, second)]
        for key in sorted(sides[0].keys() ^ sides[1].keys()):
            path = first if key in sides[0] else second
            problem = "it has no partner; both sides should have the same sent_ids"
            self.left_out.add(WrongRecord(path, f"sentence {shown(key)}", problem))
        for key, text in sides[0].items():
            if key in sides[1]:
                yield key, text, sides[1][key]

    def texts(self, path: Path) -> dict[str, str]:
        """The text of each sentence of a treebank, by its id; both are comments above the words, in any order."""
        texts: dict[str, str] = {}
        twice: set[str] = set()
        comments: dict[str, str] = {}
        number = 0
        for number, line in (*self.lines(path), (0, "")):
            if line.startswith("#"):
                name, equals, value = line[1:].partition("=")
                if equals:
                    comments[name.strip()] = value.strip()
            elif not line.strip() and comments:
                key, text = comments.get("sent_id"), comments.get("text")
                if text is not None and key is None:
                    problem = f"expected a sent_id with the text {shown(text)}"
                    self.left_out.add(WrongRecord(path, f"line {number}", problem, "no sent_id"))
                elif text is not None and key in texts:
                    problem = f"the sent_id {shown(key)} is there twice"
                    self.left_out.add(WrongRecord(path, f"line {number}", problem, "a sent_id twice"))
                    twice.add(str(key))
                elif text is not None:
                    texts[str(key)] = text
                comments = {}
            elif line.strip() and not line[0].isdecimal():
                problem = f"expected a comment (#) or a numbered word, found {shown(line)}"
                self.left_out.add(WrongRecord(path, f"line {number}", problem, "neither a comment nor a word"))
        return {key: text for key, text in texts.items() if key not in twice}

    def catalogues(self, first: Path, second: Path) -> Iterator[tuple[str, str, str]]:
        first_messages, second_messages = read_catalogue(first), read_catalogue(second)
        for key, text in first_messages.items():
            if key in second_messages:
                yield key, text, second_messages[key]


def read_translations(
    source: str | Path,
    languages: Sequence[str],
    *,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
    head: Head = "auto",
) -> Iterator[Pair]:
    """The pairs of a file, or of the files of a folder in the order of their names; runs of white space are one blank.

    Args:
        source: a `.tsv`, `.jsonl` or `.tmx`, or a folder with files of any of the forms above.
        languages: codes of the first and the second language. Files of zh_CN or zh-TW are of zh; en-GB is that variant.
        on_error: at a wrong record; or an account of wrong records, which the caller reads later.
        encoding: of files without a byte order mark.
        head: whether the first line of a table names its columns.

    Raises:
        InputError: no such files, a file without its partner, sides that differ in length, or a malformed line.
    """
    source, reader = Path(source), _Reader(languages, LeftOut.of(on_error), encoding, head)
    files = [source] if source.is_file() else list(files_by_name(source).values())
    whole: list[tuple[str, Path, str]] = []
    sided: dict[tuple[str, str], dict[str, Path]] = {}
    for path in files:
        file = unpacked_name(path)
        if match := WHOLE.fullmatch(file):
            whole.append((match["name"], path, match["form"]))
        elif (match := next(filter(None, (pattern.fullmatch(file) for pattern in FORMS)), None)) and (
            language := language_of(match["language"], languages)
        ):
            sides = sided.setdefault((match["name"], match["form"] or "txt"), {})
            if language in sides:
                raise InputError(f"{path} and {sides[language].name} are both {language}; name the variant, as en-GB")
            sides[language] = path
    if not whole and not sided:
        raise InputError(f"{source}: expected translations, as NAME.tsv or NAME.{languages[0]}.txt and its partner")
    for name, path, form in whole:
        read = {"tsv": reader.table, "tmx": reader.units}.get(form, reader.objects)
        for key, *texts in read(path):
            yield _pair(name, key, *texts)
    for (name, form), paths in sided.items():
        missing = [language for language in languages if language not in paths]
        if missing:
            raise InputError(f"{next(iter(paths.values()))}: expected a partner in {missing[0]}, found none")
        first, second = (paths[language] for language in languages)
        read_both = {"txt": reader.sides, "conllu": reader.sentences}.get(form, reader.catalogues)
        for key, *texts in read_both(first, second):
            yield _pair(name, key, *texts)


def _pair(origin: str, key: str, first: str, second: str) -> Pair:
    return Pair(origin, key, " ".join(first.split()), " ".join(second.split()))
