"""XML of people's programs: names of HTML's characters are resolved, entities of a file itself refused.

A file with a DOCTYPE may name characters as its document type does (`&eacute;`), which is not fetched; expat would
leave them out without a word.
"""

import codecs
import html
import re
from collections.abc import Iterator
from functools import cache
from html.entities import html5
from itertools import chain
from pathlib import Path
from xml.parsers import expat

from repline.errors import InputError
from repline.text_files import blocks

_XML = {"lt", "gt", "amp", "quot", "apos"}  # what XML resolves itself
DECLARED = re.compile(rb"""<\?xml[^>]*encoding=["']([\w-]+)["']""")
_NAME = re.compile(r"&(\w+);")


def parser_of(path: Path, *, names: bool = True) -> expat.XMLParserType:
    """A parser that knows HTML's names of characters; another name, or a declaration of one, is an InputError.

    Args:
        path: for errors.
        names: False where `resolved` has taken them out already: to declare them takes a millisecond.
    """
    parser = expat.ParserCreate()
    own_declarations = True  # whether what is declared stands in the file

    def refuse_declaration(*_: object) -> None:
        if own_declarations:
            raise InputError(f"{path}, line {parser.CurrentLineNumber}: entities of its own are not read")

    def refuse_name(name: str, is_parameter: bool) -> None:
        if not is_parameter:
            raise InputError(f"{path}, line {parser.CurrentLineNumber}: there is no character of the name &{name};")

    def declare_names(context: str | None, *_: object) -> int:
        nonlocal own_declarations
        own_declarations = False
        parser.ExternalEntityParserCreate(context).Parse(_declarations(), True)
        own_declarations = True
        return 1

    if names:
        parser.UseForeignDTD(True)
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
        parser.ExternalEntityRefHandler = declare_names
    parser.EntityDeclHandler = refuse_declaration
    parser.SkippedEntityHandler = refuse_name
    return parser


def parse(path: Path, parser: expat.XMLParserType, expected: str) -> Iterator[None]:
    """Parse a file, plain or compressed, block by block; the caller takes what its handlers have collected.

    Args:
        expected: what the file should be, for the error.

    Raises:
        InputError: no such file, a damaged compression, or XML that is not well-formed, with its line.
    """
    try:
        for block in _transcoded(path):
            parser.Parse(block)
            yield
        parser.Parse(b"", True)
        yield
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise InputError(f"{path}, line {error.lineno}: {expected} ({why})") from None


def _transcoded(path: Path) -> Iterator[bytes]:
    """The content; in UTF-8 where it says that it is in an encoding of several bytes a character, as expat reads none.

    Raises:
        InputError: bytes outside the encoding.
    """
    content = blocks(path)
    first = next(content, b"")
    declared = DECLARED.search(first[:1000])
    if not declared or not _is_multi_byte(encoding := declared[1].decode()):
        yield from chain([first], content)
        return
    decoder, line = codecs.getincrementaldecoder(encoding)(), 1
    try:
        for number, block in enumerate(chain([first], content)):
            text = decoder.decode(block)
            line += text.count("\n")
            yield (text if number else text.replace(encoding, "utf-8", 1)).encode()
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, line {line} or below: expected {encoding} text ({error.reason})") from None


def _is_multi_byte(encoding: str) -> bool:
    """Whether an encoding has several bytes a character and expat does not read it; False for an unknown one."""
    try:
        name = codecs.lookup(encoding).name
        return not name.startswith(("utf-8", "utf-16")) and len(bytes(range(256)).decode(name, "replace")) != 256
    except LookupError:
        return False


def resolved(text: str) -> str:
    """A piece of XML with HTML's names of characters as characters; XML's five stay as they are."""

    def character(name: re.Match[str]) -> str:
        if name[1] in _XML or f"{name[1]};" not in html5:
            return name[0]
        return html.escape(html5[f"{name[1]};"])

    return _NAME.sub(character, text)


@cache
def _declarations() -> str:
    """Declare HTML's names; characters that are markup are escaped twice, as the value is parsed again."""
    values = {name[:-1]: value for name, value in html5.items() if name.endswith(";") and name[:-1] not in _XML}
    escaped = {
        name: "".join(
            f"&#38;#{ord(character)};" if character in "<&%" else f"&#{ord(character)};" for character in value
        )
        for name, value in values.items()
    }
    return "".join(f'<!ENTITY {name} "{value}">' for name, value in escaped.items())
