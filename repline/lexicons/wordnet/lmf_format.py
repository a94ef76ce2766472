"""Wordnets in WN-LMF, the XML of the Global WordNet Association: Open English WordNet, OdeNet and many others.

    <LexicalResource><Lexicon id="odenet" language="de" ...>
      <LexicalEntry id="w1"><Lemma writtenForm="Hund" partOfSpeech="n"/><Sense id="w1_1" synset="odenet-1-n"/>
      </LexicalEntry>
      <Synset id="odenet-1-n" partOfSpeech="n"><Definition>...</Definition>
        <SynsetRelation relType="hypernym" target="odenet-2-n"/></Synset>
    </Lexicon></LexicalResource>

The words of a synset stand in the order of its `members`, or of the file. A relation between two senses is a lexical
pointer. Many files state a hierarchy in one direction alone; what is missing of the other is added, as WordNet has
both. Relations that WordNet does not have are passed over, as are other forms of words, examples, and synsets
without words, to which nothing points then.
"""

from collections import defaultdict
from pathlib import Path
from typing import NoReturn

from repline.errors import InputError, shown
from repline.lexicons.wordnet.synsets import RELATIONS, Pointer, Synset, WordNet
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import blocks
from repline.reading.xml_text import parse, parser_of
from repline.segmentation.combining_marks import composed

_START = 1 << 14  # bytes in which the first element begins
_POS = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"} | {
    "t": "phrase",
    "c": "conjunction",
    "p": "preposition",
    "x": "other",
    "u": "unknown",
}
_TYPES = {name: name for name in RELATIONS.values()} | {
    "mero_member": "member_meronym",
    "mero_part": "part_meronym",
    "mero_substance": "substance_meronym",
    "holo_member": "member_holonym",
    "holo_part": "part_holonym",
    "holo_substance": "substance_holonym",
    "has_domain_topic": "member_topic",
    "has_domain_region": "member_region",
    "exemplifies": "domain_usage",
    "is_exemplified_by": "member_usage",
    "entails": "entailment",
    "causes": "cause",
    "also": "also_see",
    "similar": "similar_to",
}

_BELOW = {"hypernym": "hyponym", "instance_hypernym": "instance_hyponym"} | {
    f"{kind}_holonym": f"{kind}_meronym" for kind in ("member", "part", "substance")
}
_CONVERSE = _BELOW | {below: above for above, below in _BELOW.items()}


def is_lmf(path: str | Path) -> bool:
    """Whether an XML file, plain or compressed, begins as WN-LMF does, in any encoding of Unicode."""
    return b"<LexicalResource" in next(blocks(Path(path)), b"")[:_START].replace(b"\0", b"")


def read_lmf(path: str | Path) -> WordNet:
    """Read a wordnet in WN-LMF, plain or compressed.

    Raises:
        InputError: no such file, broken XML, an entity of its own, several lexicons, an element without one of its
            attributes, a sense of a synset that is not there, or a pointer that leads nowhere.
    """
    reader = _Reader(Path(path))
    for _ in parse(reader.path, reader.parser, "this is not well-formed XML"):
        pass
    return reader.wordnet()


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.parser = parser_of(path, names=False)
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.lexicon: str | None = None
        self.lemma = self.sense = self.synset = ""  # those that are open
        self.is_definition = False
        self.words: dict[str, tuple[str, str, str]] = {}  # of each sense: its synset, lemma and marker
        self.senses = defaultdict[str, list[str]](list)  # of each synset
        self.sense_relations: list[tuple[str, str, str]] = []  # sense, relation, target
        self.synsets: dict[str, tuple[str, str]] = {}  # part of speech as in the file, members
        self.definitions: dict[str, str] = {}
        self.synset_relations = defaultdict[str, list[tuple[str, str]]](list)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        def value(key: str) -> str:
            text = attributes.get(key, "").strip()
            return text or self.complain(f"expected {key} in <{name}>, found none")

        if name == "LexiconExtension" or (name == "Lexicon" and self.lexicon is not None):
            identifier = shown(attributes.get("id", ""))
            self.complain(f"expected one <Lexicon>, found <{name}> {identifier} too; put each into a file of its own")
        elif name == "Lexicon":
            self.lexicon = value("id")
        elif name == "Lemma":
            self.lemma = "_".join(composed(clean_text(value("writtenForm"))).split())
        elif name == "Sense":
            self.sense, synset = value("id"), value("synset")
            if not self.lemma:
                self.complain("expected a <Lemma> before <Sense>, found none")
            marker = attributes.get("adjposition", "")
            self.words[self.sense] = synset, self.lemma, f"({marker})" if marker else ""
            self.senses[synset].append(self.sense)
        elif name == "SenseRelation":
            self.sense_relations.append((self.sense, value("relType"), value("target")))
        elif name == "Synset":
            self.synset, pos = value("id"), value("partOfSpeech")
            if pos not in _POS:
                self.complain(f"expected partOfSpeech of {self.synset} to be one of {', '.join(_POS)}, found {pos!r}")
            if self.synset in self.synsets:
                self.complain(f"the synset {shown(self.synset)} is there twice")
            self.synsets[self.synset] = pos, attributes.get("members", "")
        elif name == "SynsetRelation":
            self.synset_relations[self.synset].append((value("relType"), value("target")))
        elif name == "Definition":
            self.is_definition = self.synset not in self.definitions
            self.definitions.setdefault(self.synset, "")

    def characters(self, text: str) -> None:
        if self.is_definition:
            self.definitions[self.synset] += text

    def end(self, name: str) -> None:
        if name == "Definition":
            self.is_definition = False
        elif name == "LexicalEntry":
            self.lemma = ""

    def wordnet(self) -> WordNet:
        """The wordnet of what was read."""
        for sense, (synset, lemma, _) in self.words.items():
            if synset not in self.synsets:
                raise InputError(
                    f"{self.path}: the sense {shown(sense)} of {shown(lemma)} is of the synset {shown(synset)}, which "
                    "is not there"
                )
        positions = dict[str, tuple[str, int]]()  # of each sense: its synset and position in it, from 1
        for synset, (_, members) in self.synsets.items():
            order = {member: position for position, member in enumerate(members.split())}
            self.senses[synset].sort(key=lambda sense: order.get(sense, len(order)))
            positions.update((sense, (synset, position)) for position, sense in enumerate(self.senses[synset], 1))
        pointers = defaultdict[str, list[Pointer]](list)
        for synset, relations in self.synset_relations.items():
            for relation, target in relations:
                if relation in _TYPES and (target not in self.synsets or self.senses[target]):
                    pointers[synset].append(Pointer(_TYPES[relation], target))
        stated = {(synset, pointer) for synset in pointers for pointer in pointers[synset]}
        for synset, pointer in sorted(stated):
            if pointer.relation in _CONVERSE and pointer.target in self.synsets:
                back = Pointer(_CONVERSE[pointer.relation], synset)
                if self.senses[synset] and (pointer.target, back) not in stated:
                    pointers[pointer.target].append(back)
        for sense, relation, target in self.sense_relations:
            if relation not in _TYPES:
                continue
            synset, position = positions[sense]
            if target in positions:
                pointers[synset].append(Pointer(_TYPES[relation], positions[target][0], position, positions[target][1]))
            elif target in self.synsets:  # of a sense to a whole synset
                pointers[synset].append(Pointer(_TYPES[relation], target))
            else:
                raise InputError(
                    f"{self.path}: the sense {shown(sense)} points ({shown(relation)}) to {shown(target)}, which is "
                    "not there"
                )
        return WordNet(
            (
                Synset(
                    synset,
                    _POS[pos],
                    tuple(self.words[sense][1] for sense in self.senses[synset]),
                    tuple(pointers[synset]),
                    composed(clean_text(" ".join(self.definitions.get(synset, "").split()))),
                    tuple(self.words[sense][2] for sense in self.senses[synset]),
                    pos == "s",
                )
                for synset, (pos, _) in self.synsets.items()
                if self.senses[synset]
            ),
            self.path,
        )

    def complain(self, message: str) -> NoReturn:
        raise InputError(f"{self.path}, line {self.parser.CurrentLineNumber}: {message}")
