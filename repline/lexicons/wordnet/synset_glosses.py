"""The definitions and examples of an XML wordnet, whatever its relations: text in the language of the wordnet."""

from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from repline.errors import InputError

_TEXTS = ("LITERAL", "DEF", "EXAMPLE")


class Gloss(NamedTuple):
    """The lemmas of a synset, its definitions, and its example sentences."""

    lemmas: tuple[str, ...]
    definitions: tuple[str, ...]
    examples: tuple[str, ...]


def read_glosses(path: str | Path) -> list[Gloss]:
    """The glosses of all `<SYNSET>` records; several definitions in a `<DEF>` are parted by `|`.

    Raises:
        InputError: no such file, broken XML, or a document type declaration.
    """
    glosses: list[Gloss] = []
    texts: dict[str, list[str]] = {}
    opened: list[tuple[str, list[str]]] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, _: dict[str, str]) -> None:
        opened.append((name, []))
        if name == "SYNSET":
            texts.clear()

    def characters(text: str) -> None:
        opened[-1][1].append(text)

    def end(name: str) -> None:
        text = "".join(opened.pop()[1]).strip()
        if name in _TEXTS and text:
            texts.setdefault(name, []).append(text)
        elif name == "SYNSET":
            definitions, examples = (
                tuple(part.strip() for entry in texts.get(kind, ()) for part in entry.split("|") if part.strip())
                for kind in ("DEF", "EXAMPLE")
            )
            glosses.append(Gloss(tuple(texts.get("LITERAL", ())), definitions, examples))

    def doctype(*_: object) -> None:
        raise InputError(f"{path}, line {parser.CurrentLineNumber}: expected no document type declaration, found one")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = characters, doctype
    try:
        with open(path, "rb") as file:
            parser.ParseFile(file)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise InputError(f"{path}, line {error.lineno}: this is not well-formed XML ({reason})") from None
    return glosses
