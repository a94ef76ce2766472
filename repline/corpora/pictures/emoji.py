"""Emoji as pictures of words: a word has the emoji that Unicode's CLDR names so in its language.

`annotations.jsonl.gz` has a line for each emoji: `code`, and for each language `tts` (a short name) and `keywords`.
`pictures-<vendor>.zip` has `<code>.png`. Words are compared whole, in any case: `car` is not in `cable car`.
"""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from repline.corpora.pictures.picture_files import PictureFile, PictureZip
from repline.errors import InputError, shown
from repline.lexicons.letter_case import without_case
from repline.reading.text_files import numbered_lines

ANNOTATIONS = "annotations.jsonl"


def emoji_words(folder: str | Path, language: str) -> dict[str, list[str]]:
    """The codes of the emoji of each keyword and short name of a language (`without_case`), in the order of the file.

    Raises:
        InputError: there is no such file, a line is not as described, or the language is not in it.
    """
    path = _annotations(Path(folder))
    names_by_word: dict[str, list[str]] = {}
    for number, line in numbered_lines(path):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            names = record[language]
            entries = [*names["keywords"], names["tts"]]
            code = record["code"]
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"{path}, line {number}: expected an emoji with its code and names in {language}, found {shown(line)}"
            ) from None
        for word in dict.fromkeys(map(without_case, entries)):
            names_by_word.setdefault(word, []).append(code)
    return names_by_word


def emoji_pictures(folder: str | Path, vendor: str, codes: Sequence[str]) -> list[PictureFile]:
    """The pictures of these emoji by one vendor; InputError if the zip lacks one."""
    pictures = PictureZip(Path(folder) / f"pictures-{vendor}.zip")
    there = set(pictures.names)
    if missing := [code for code in codes if f"{code}.png" not in there]:
        raise InputError(f"{pictures.path}: there is no picture {missing[0]}.png, which the annotations name")
    return [
        PictureFile(code, f"{code}.png", f"{pictures.path}: {code}.png", partial(pictures.read, f"{code}.png"))
        for code in codes
    ]


def _annotations(folder: Path) -> Path:
    for name in (ANNOTATIONS, f"{ANNOTATIONS}.gz"):
        if (folder / name).exists():
            return folder / name
    raise InputError(f"{folder}: expected {ANNOTATIONS} or {ANNOTATIONS}.gz, the names of emoji; there is neither")
