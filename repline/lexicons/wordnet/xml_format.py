"""Wordnets as XML: a `<SYNSETS>` of `<SYNSET>` records, the form of BalkaNet's editors and of the NlpToolkit.

    <SYNSET><ID>ENG31-00002098-a</ID><SYNONYM><LITERAL>unable<SENSE>0</SENSE><SR>ENG31-00001740-a<TYPE>ANTONYM</TYPE>
    <TO>1</TO></SR></LITERAL></SYNONYM><POS>a</POS><DEF>gloss</DEF><SR>ENG31-05207437-n<TYPE>ATTRIBUTE</TYPE></SR></SYNSET>

An `<SR>` of a record is a semantic pointer; one inside a `<LITERAL>` is a lexical one, to the word that `<TO>` counts.
Adverbs are `b`, pertainyms are among the derivations. A satellite adjective has an identifier in `-s` and is pointed
to with `-a`; here both are `-a`, as in WNDB.
"""

from pathlib import Path
from typing import Any, NoReturn

from repline.errors import InputError
from repline.lexicons.wordnet.synsets import RELATIONS, Pointer, Synset, WordNet
from repline.parameters import nearest
from repline.reading.xml_text import parse, parser_of

# here `r` is the pronoun and `b` the adverb
_POS = {"n": "n", "v": "v", "a": "a", "b": "r"} | {
    "i": "interjection",
    "c": "conjunction",
    "p": "preposition",
    "r": "pronoun",
}
_TYPES = {name.upper(): name for name in RELATIONS.values()} | {
    "DERIVATION_RELATED": "derivation",
    "PARTICIPLE_OF_VERB": "participle",
}
_TEXTS = frozenset({"ID", "LITERAL", "SENSE", "SR", "TYPE", "TO", "POS", "DEF"})


def read_xml(path: str | Path) -> WordNet:
    """Read an XML wordnet, plain or compressed.

    Records between languages (`<ILR>`), usage examples and notes are passed over.

    Raises:
        InputError: no such file, broken XML, an unknown encoding, an entity or document type declaration, a record
            out of form (naming the line), or a pointer that leads nowhere.
    """
    reader = _Reader(Path(path))
    for _ in parse(reader.path, reader.parser, "this is not well-formed XML"):
        pass
    return WordNet(reader.synsets, path)


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.synsets: list[Synset] = []
        self.parser = parser_of(path, names=False)
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.open: list[tuple[str, list[str]]] = []  # elements not yet closed, with their text so far
        self.clear()

    def clear(self) -> None:
        self.record: dict[str, str] = {}
        self.lemmas: list[str] = []
        self.pointers: list[Pointer] = []
        self.type: str | None = None
        self.to = 0

    def doctype(self, *_: Any) -> None:
        self.complain("expected no document type declaration, found one (it could define entities)")

    def start(self, name: str, _: dict[str, str]) -> None:
        if not self.open and name != "SYNSETS":
            self.complain(f"expected <SYNSETS>, found <{name}>")
        if len(self.open) == 1 and name != "SYNSET":
            self.complain(f"expected <SYNSET>, found <{name}>")
        self.open.append((name, []))
        if name == "SYNSET":
            self.clear()
        elif name == "LITERAL":
            self.lemmas.append("")
        elif name == "SR":
            self.type, self.to = None, 0

    def characters(self, text: str) -> None:
        if self.open[-1][0] in _TEXTS:
            self.open[-1][1].append(text)

    def end(self, name: str) -> None:
        text = "".join(self.open.pop()[1]).strip()
        inside = self.open[-1][0] if self.open else ""
        if name == "SYNSET":
            self.finish()
        elif name == "LITERAL":
            if not text:
                self.complain("expected a word in <LITERAL>, found none")
            self.lemmas[-1] = text.replace(" ", "_")
        elif name == "TYPE" and inside == "SR":
            if text not in _TYPES:
                self.complain(f"unknown relation {text!r}{nearest(text, _TYPES)}")
            self.type = _TYPES[text]
        elif name == "TO" and inside == "SR":
            if not text.isdecimal():
                self.complain(f"expected the number of a word in <TO>, found {text!r}")
            self.to = int(text)
        elif name == "SR":
            if not text or self.type is None:
                self.complain("expected a target and its <TYPE> in <SR>")
            word = len(self.lemmas) if inside == "LITERAL" else 0
            self.pointers.append(Pointer(self.type, text, word, self.to))
        elif name in ("ID", "POS", "DEF") and inside == "SYNSET":
            self.record.setdefault(name, text)

    def finish(self) -> None:
        identifier, pos = self.record.get("ID"), self.record.get("POS")
        if not identifier:
            self.complain("expected an <ID> in <SYNSET>, found none")
        if pos not in _POS:
            self.complain(f"expected the <POS> of {identifier} to be one of {', '.join(_POS)}, found {pos!r}")
        if not self.lemmas:
            self.complain(f"expected a <LITERAL> in {identifier}, found none")
        satellite = pos == "a" and identifier.endswith("-s")
        self.synsets.append(
            Synset(
                identifier.removesuffix("-s") + "-a" if satellite else identifier,
                _POS[pos],
                tuple(self.lemmas),
                tuple(self.pointers),
                self.record.get("DEF", ""),
                ("",) * len(self.lemmas),
                satellite,
            )
        )

    def complain(self, message: str) -> NoReturn:
        raise InputError(f"{self.path}, line {self.parser.CurrentLineNumber}: {message}")
