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

from repline.errors import InputError, shown
from repline.reading.text_files import MARKS, blocks

_XML = {"lt", "gt", "amp", "quot", "apos"}  # what XML resolves itself
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]*)["']""")
_WIDE = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))  # how XML without a byte order mark begins
_NAME = re.compile(r"&(\w+);")


def parser_of(path: Path, *, names: bool = True) -> expat.XMLParserType:
    """A parser that knows HTML's names of characters; another name, or a declaration of one, is an InputError.

    Args:
        path: for errors.
        names: False where `resolved` has taken them out already, or where none may stand: to declare them takes a
            millisecond.
    """
    parser = expat.ParserCreate("utf-8")  # which `parse` gives it, whatever the file says
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
        parser: from `parser_of`.
        expected: what the file should be, for the error.

    Raises:
        InputError: no such file, a damaged compression, an encoding that is none or not that of the file, or XML that
            is not well-formed, with its line.
    """
    try:
        for block in _in_utf_8(path):
            parser.Parse(block)
            yield
        parser.Parse(b"", True)
        yield
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise InputError(f"{path}, line {error.lineno}: {expected} ({why})") from None


def encoding_of(path: Path, start: bytes) -> str:
    """The encoding of XML by its first bytes: a byte order mark, its declaration, or UTF-8.

    Raises:
        InputError: what is declared is no encoding, or one in which the declaration could not be read.
    """
    for mark, name in (*MARKS, *_WIDE):
        if start.startswith(mark):
            return name
    declared = _DECLARED.match(start[:1000])
    encoding = declared[1].decode("latin-1") if declared else "utf-8"
    try:
        is_readable = b"<?xml".decode(encoding) == "<?xml"
    except (LookupError, ValueError):
        is_readable = False
    if not is_readable:
        raise InputError(
            f"{path}, line 1: expected XML in the declared encoding {shown(encoding)}, found another, or it is unknown"
        )
    return encoding


def _in_utf_8(path: Path) -> Iterator[bytes]:
    """The content in UTF-8; what is already in it is left to expat to check.

    Raises:
        InputError: see `encoding_of`; bytes outside another encoding.
    """
    content = blocks(path)
    first = next(content, b"")
    encoding = encoding_of(path, first)
    if codecs.lookup(encoding).name == "utf-8":
        yield from chain([first], content)
        return
    decoder, line = codecs.getincrementaldecoder(encoding)(), 1
    try:
        for block in chain([first], content):
            text = decoder.decode(block)
            line += text.count("\n")
            yield text.encode()
        decoder.decode(b"", final=True)
    except UnicodeError:
        raise InputError(f"{path}, line {line} or below: expected {encoding} text, found bytes outside it") from None


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
