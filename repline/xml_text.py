"""XML of people's programs: names of HTML's characters are resolved, entities of a file itself refused.

A file with a DOCTYPE may name characters as its document type does (`&eacute;`), which is not fetched; expat would
leave them out without a word.
"""

import html
import re
from collections.abc import Iterator
from functools import cache
from html.entities import html5
from pathlib import Path
from xml.parsers import expat

from repline.errors import InputError
from repline.text_files import blocks

_XML = {"lt", "gt", "amp", "quot", "apos"}  # what XML resolves itself
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
        for block in blocks(path):
            parser.Parse(block)
            yield
        parser.Parse(b"", True)
        yield
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise InputError(f"{path}, line {error.lineno}: {expected} ({why})") from None


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
