"""Texts and their translations in files, of six forms.

zh_CN.NAME.mo, ja.NAME.mo         catalogues of gettext, one a language (or .json, Jed's form): same message
NAME.zh.txt, NAME.ja.txt          a text a line, the same line number (and so below)
NAME.zh.conllu, NAME.ja.conllu    sentences of Universal Dependencies: same sent_id
NAME.tsv                          an id, the text in the first language, in the second
NAME.jsonl                        an object a line: "id", and each language's text under its code
NAME.tmx                          a translation memory: texts of one unit
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from repline.corpora.parallel.message_catalogues import read_catalogue
from repline.corpora.parallel.tmx import read_tmx
from repline.errors import InputError
from repline.text_files import numbered_lines, unpacked_name

SIDED = re.compile(r"(?P<name>.+)\.(?P<language>[A-Za-z]{2,3}(?:[-_]\w+)*)\.(?P<form>txt|conllu)")
CATALOGUE = re.compile(r"(?P<language>[A-Za-z]{2,3}(?:[-_]\w+)*)\.(?P<name>.+)\.(?P<form>mo|json)")
WHOLE = re.compile(r"(?P<name>.+)\.(?P<form>tsv|jsonl|tmx)")


class Pair(NamedTuple):
    """A text and its translation: `origin` is the NAME of their files, `key` what they have in common there."""

    origin: str
    key: str
    first: str
    second: str


def read_translations(source: str | Path, languages: Sequence[str]) -> Iterator[Pair]:
    """The pairs of a file, or of the files of a folder in the order of their names; runs of white space are one blank.

    Args:
        source: a `.tsv` or `.jsonl`, or a folder with files of any of the forms above.
        languages: codes of the first and the second language. Files of zh_CN or zh-TW are of zh.

    Raises:
        InputError: no such files, a file without its partner, sides that differ in length, or a malformed line.
    """
    source = Path(source)
    files = [source] if source.is_file() else sorted(path for path in source.glob("*") if path.is_file())
    whole: list[tuple[str, Path, str]] = []
    sided: dict[tuple[str, str], dict[str, Path]] = {}
    for path in files:
        file = unpacked_name(path)
        if match := WHOLE.fullmatch(file):
            whole.append((match["name"], path, match["form"]))
        elif match := SIDED.fullmatch(file) or CATALOGUE.fullmatch(file):
            language = re.split("[-_]", match["language"].lower())[0]
            if language in languages:
                sided.setdefault((match["name"], match["form"]), {})[language] = path
    if not whole and not sided:
        raise InputError(f"{source}: expected translations, as NAME.tsv or NAME.{languages[0]}.txt and its partner")
    for name, path, form in whole:
        read = {"tsv": _table, "tmx": _units}.get(form, _objects)
        for key, *texts in read(path, languages):
            yield _pair(name, key, *texts)
    for (name, form), paths in sided.items():
        missing = [language for language in languages if language not in paths]
        if missing:
            raise InputError(f"{next(iter(paths.values()))}: its partner in {missing[0]} is missing")
        first, second = (paths[language] for language in languages)
        read_both = {"txt": _lines, "conllu": _sentences}.get(form, _catalogues)
        for key, *texts in read_both(first, second):
            yield _pair(name, key, *texts)


def _pair(origin: str, key: str, first: str, second: str) -> Pair:
    return Pair(origin, key, " ".join(first.split()), " ".join(second.split()))


def _table(path: Path, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for number, line in numbered_lines(path):
        fields = line.split("\t")
        if len(fields) != 3:
            raise InputError(
                f"{path}, line {number}: expected id, {languages[0]} and {languages[1]} between tabs, found {line!r}"
            )
        yield fields[0], fields[1], fields[2]


def _objects(path: Path, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for number, line in numbered_lines(path):
        try:
            pair = json.loads(line)
            key, texts = str(pair.get("id", number)), [pair.get(language) for language in languages]
        except (ValueError, AttributeError):
            raise InputError(f"{path}, line {number}: expected a JSON object, found {line!r}") from None
        if all(isinstance(text, str) for text in texts):  # a paragraph may lack a language
            yield key, texts[0], texts[1]


def _units(path: Path, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for unit in read_tmx(path):
        if all(language in unit.texts for language in languages):
            first, second = (unit.texts[language] for language in languages)
            yield unit.key, first, second


def _lines(first: Path, second: Path) -> Iterator[tuple[str, str, str]]:
    sides = [[line for _, line in numbered_lines(path)] for path in (first, second)]
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"{first} has {len(sides[0]):,} lines and {second} {len(sides[1]):,}: the sides of a parallel corpus are "
            f"of equal length, line by line"
        )
    for number, (first_text, second_text) in enumerate(zip(*sides, strict=True), start=1):
        yield str(number), first_text, second_text


def _sentences(first: Path, second: Path) -> Iterator[tuple[str, str, str]]:
    sides = [_texts(path) for path in (first, second)]
    if alone := sorted(sides[0].keys() ^ sides[1].keys()):
        where = first if alone[0] in sides[0] else second
        raise InputError(f"{where}: sentence {alone[0]} has no partner; both sides should have the same sent_ids")
    for key, text in sides[0].items():
        yield key, text, sides[1][key]


def _texts(path: Path) -> dict[str, str]:
    """The text of each sentence of a treebank, by its id."""
    texts, key = {}, None
    for number, line in numbered_lines(path):
        name, equals, value = line.removeprefix("#").partition("=")
        if not line.startswith("#") or not equals:
            continue
        if name.strip() == "sent_id":
            key = value.strip()
        elif name.strip() == "text":
            if key is None:
                raise InputError(f"{path}, line {number}: expected a sent_id before the text")
            texts[key] = value.strip()
    return texts


def _catalogues(first: Path, second: Path) -> Iterator[tuple[str, str, str]]:
    first_messages, second_messages = read_catalogue(first), read_catalogue(second)
    for key, text in first_messages.items():
        if key in second_messages:
            yield key, text, second_messages[key]
