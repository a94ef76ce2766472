"""Translation memories in TMX, the exchange format of translators' programs: units of a text in several languages.

    <tu tuid="7"><tuv xml:lang="en-US"><seg>Open</seg></tuv><tuv xml:lang="de"><seg>Öffnen</seg></tuv></tu>

Marks of formatting inside a text (bpt, ept, ph, it, hi, ...) are left out; what hi and sub hold is text, and blanks set
off that of sub.

Source: LISA OSCAR, TMX 1.4b specification (also reads 1.1 to 1.3, whose attribute is `lang`).
"""

import codecs
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from repline.corpora.parallel.language_codes import is_of
from repline.errors import InputError
from repline.reading.text_files import blocks
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.reading.xml_text import encoding_of, parse, parser_of, resolved

CODES = {"bpt", "ept", "ph", "it", "ut"}  # native codes of another program, not text
EXPECTED = "expected a translation memory in TMX"
_UNIT = re.compile(r"<tu[\s>]")
_NO_MARKUP = re.compile(r"<!--.*?-->|<!\[CDATA\[((?:(?!<!\[CDATA\[).)*?)\]\]>", re.DOTALL)  # comments, and literal text
_OUTSIDE = "\ud800"  # half a character of UTF-16, which no text holds: in place of bytes outside the encoding
codecs.register_error("repline.outside", lambda error: (_OUTSIDE, error.end))  # type: ignore[attr-defined]


class Unit(NamedTuple):
    """The texts of one unit with the codes of their languages, as the file writes both; its id, and its line.

    The id is the number of the unit where the file gives none; where another unit has it already, the number is added.
    """

    key: str
    line: int
    variants: list[tuple[str, str]]

    @property
    def texts(self) -> dict[str, str]:
        """The first text of each language; zh_CN and zh-TW are zh."""
        texts: dict[str, str] = {}
        for code, text in self.variants:
            texts.setdefault(re.split("[-_]", code.lower())[0], text)
        return texts

    def of(self, language: str) -> list[tuple[str, str]]:
        """The first text of each variant of a language, with its code; a text that another variant has, once."""
        by_code: dict[str, str] = {}
        for code, text in self.variants:
            if is_of(code, language):
                by_code.setdefault(code, text)
        by_text = {text: code for code, text in reversed(by_code.items())}
        return [(code, text) for code, text in by_code.items() if by_text[text] == code]

    def count_further(self, language: str, taken: int, left_out: LeftOut) -> None:
        """Count the different texts of a language, but for as many as are taken."""
        for _ in range(len({text for code, text in self.variants if is_of(code, language)}) - taken):
            left_out.pass_over("further texts of one language in a unit")


def read_tmx(path: str | Path, on_error: OnError | LeftOut = "stop") -> Iterator[Unit]:
    """The units of a file, plain or compressed, in their order; runs of white space in a text are one blank.

    HTML's names of characters (`&eacute;`) are resolved.

    Args:
        on_error: at a unit that is not well-formed, not in the encoding, or whose text has no language.

    Raises:
        InputError: no such file, no TMX, a wrong unit, or a declaration of entities.
    """
    path, left_out = Path(path), LeftOut.of(on_error)
    if left_out.on_error == "salvage":
        yield from _salvaged(path, left_out)
        return
    reader = _Reader(path)
    for _ in parse(path, reader.parser, EXPECTED):
        yield from reader.taken()


def _salvaged(path: Path, left_out: LeftOut) -> Iterator[Unit]:
    """The units that can be read each by itself."""
    content = b"".join(blocks(path))
    encoding = encoding_of(path, content)
    text = content.decode(encoding, "repline.outside")
    text = _NO_MARKUP.sub(lambda part: "\n" * part[0].count("\n") if part[1] is None else html.escape(part[1]), text)
    starts = [match.start() for match in _UNIT.finditer(text)]
    head = text[: starts[0]] if starts else text
    if not re.search(r"<tmx[\s>]", head):
        raise InputError(f"{path}: {EXPECTED}")
    if "<!ENTITY" in head:
        raise InputError(f"{path}: entities of its own are not read")
    line, position, keys = 1, 0, set[str]()
    for number, (start, stop) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), start=1):
        line += text.count("\n", position, start)
        position = start
        end = text.find("</tu>", start, stop)
        record = text[start : stop if end < 0 else end + len("</tu>")]
        reader = _Reader(path, line, number - 1, keys)
        try:
            if _OUTSIDE in record:
                number_of_line = f"line {line + record[: record.index(_OUTSIDE)].count(chr(10))}"
                problem = f"expected {encoding.upper()} text, found bytes outside it"
                raise WrongRecord(path, number_of_line, problem, f"no {encoding.upper()} text")
            reader.parser.Parse(f"<tmx>{resolved(record)}</tmx>", True)
        except expat.ExpatError as error:
            why = expat.ErrorString(error.code)
            left_out.add(WrongRecord(path, f"line {line + error.lineno - 1}", f"{EXPECTED} ({why})", why))
        except WrongRecord as problem:
            left_out.add(problem)
        else:
            yield from reader.taken()


class _Reader:
    def __init__(self, path: Path, first_line: int = 0, number: int = 0, keys: set[str] | None = None):
        self.keys = set[str]() if keys is None else keys  # of the units before
        self.path, self.units, self.number, self.opened = path, list[Unit](), number, False
        self.lines_before = max(first_line - 1, 0)
        self.language, self.line = "", 0
        self.codes = [0]  # native codes that are open, in the text and in each <sub> that is open
        self.segment: list[str] | None = None
        self.key, self.variants = "", list[tuple[str, str]]()
        self.parser = parser_of(path, names=first_line == 0)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def taken(self) -> list[Unit]:
        units, self.units = self.units, []
        return units

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self.opened and name != "tmx":
            raise InputError(f"{self.path}: {EXPECTED}, found <{name}>")
        self.opened = True
        line = self.parser.CurrentLineNumber + self.lines_before
        if name == "tu":
            self.number, self.line, self.variants = self.number + 1, line, []
            self.key = attributes.get("tuid", str(self.number))
        elif name == "tuv":
            self.language = attributes.get("xml:lang", attributes.get("lang", ""))
            if not self.language.strip("-_ "):
                raise WrongRecord(self.path, f"line {line}", "a text without a language")
        elif name == "seg":
            self.segment = []
        elif name in CODES:
            self.codes[-1] += 1
        elif name == "sub":
            self.codes.append(0)
            self._text(" ")

    def _end(self, name: str) -> None:
        if name == "seg" and self.segment is not None:
            self.variants.append((self.language, " ".join("".join(self.segment).split())))
            self.segment = None
        elif name in CODES:
            self.codes[-1] -= 1
        elif name == "sub":
            self._text(" ")
            self.codes.pop()
        elif name == "tu":
            while self.key in self.keys:
                self.key += f" {self.number}"
            self.keys.add(self.key)
            self.units.append(Unit(self.key, self.line, self.variants))

    def _text(self, text: str) -> None:
        if self.segment is not None and not self.codes[-1]:
            self.segment.append(text)
