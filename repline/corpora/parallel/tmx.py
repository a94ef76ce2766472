"""Translation memories in TMX, the exchange format of translators' programs: units of a text in several languages.

<tu tuid="7"><tuv xml:lang="en-US"><seg>Open</seg></tuv><tuv xml:lang="de"><seg>Öffnen</seg></tuv></tu>

Marks of formatting inside a text (bpt, ept, ph, it, hi, ...) are left out; what hi and sub hold is text.

Source: LISA OSCAR, TMX 1.4b specification (also reads 1.1 to 1.3, whose attribute is `lang`).
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from repline.errors import InputError
from repline.text_files import blocks

CODES = {"bpt", "ept", "ph", "it", "ut"}  # native codes of another program, not text


class Unit(NamedTuple):
    """The texts of one unit by language (zh_CN and zh-TW are zh; the first text of each), its id, and its line."""

    key: str
    line: int
    texts: dict[str, str]


def read_tmx(path: str | Path) -> Iterator[Unit]:
    """The units of a file in their order; runs of white space in a text are one blank.

    Raises:
        InputError: no such file, no TMX, a unit whose text has no language, or a declaration of entities.
    """
    path = Path(path)
    reader = _Reader(path)
    try:
        for block in blocks(path):
            reader.parser.Parse(block)
            yield from reader.taken()
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise InputError(f"{path}, line {error.lineno}: expected a translation memory in TMX ({why})") from None


class _Reader:
    def __init__(self, path: Path):
        self.path, self.units, self.number, self.opened = path, list[Unit](), 0, False
        self.language, self.codes, self.line = "", 0, 0
        self.segment: list[str] | None = None
        self.key, self.texts = "", dict[str, str]()
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._entity

    def taken(self) -> list[Unit]:
        units, self.units = self.units, []
        return units

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self.opened and name != "tmx":
            raise InputError(f"{self.path}: expected a translation memory in TMX, found <{name}>")
        self.opened = True
        if name == "tu":
            self.number, self.line, self.texts = self.number + 1, self.parser.CurrentLineNumber, {}
            self.key = attributes.get("tuid", str(self.number))
        elif name == "tuv":
            language = attributes.get("xml:lang", attributes.get("lang", ""))
            self.language = re.split("[-_]", language.lower())[0]
            if not self.language:
                raise InputError(f"{self.path}, line {self.parser.CurrentLineNumber}: a text without a language")
        elif name == "seg":
            self.segment = []
        elif name in CODES:
            self.codes += 1

    def _end(self, name: str) -> None:
        if name == "seg" and self.segment is not None:
            self.texts.setdefault(self.language, " ".join("".join(self.segment).split()))
            self.segment = None
        elif name in CODES:
            self.codes -= 1
        elif name == "tu":
            self.units.append(Unit(self.key, self.line, self.texts))

    def _text(self, text: str) -> None:
        if self.segment is not None and not self.codes:
            self.segment.append(text)

    def _entity(self, *_: object) -> None:
        raise InputError(f"{self.path}, line {self.parser.CurrentLineNumber}: entities of its own are not read")
