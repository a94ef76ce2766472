"""WordNet in memory: synsets with their lemmas, typed pointers and glosses, whatever file they came from.

A pointer is *semantic* when it holds between two synsets, and *lexical* when it holds between one word of each (an
antonym, a derived form). Relations have names ("hypernym"); `RELATIONS` says which symbol of the WNDB files each is.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from repline.errors import InputError, shown

RELATIONS = {
    "!": "antonym",
    "@": "hypernym",
    "@i": "instance_hypernym",
    "~": "hyponym",
    "~i": "instance_hyponym",
    "#m": "member_holonym",
    "#s": "substance_holonym",
    "#p": "part_holonym",
    "%m": "member_meronym",
    "%s": "substance_meronym",
    "%p": "part_meronym",
    "=": "attribute",
    "+": "derivation",
    ";c": "domain_topic",
    "-c": "member_topic",
    ";r": "domain_region",
    "-r": "member_region",
    ";u": "domain_usage",
    "-u": "member_usage",
    "*": "entailment",
    ">": "cause",
    "^": "also_see",
    "$": "verb_group",
    "&": "similar_to",
    "<": "participle",
    "\\": "pertainym",
}
SYNONYM = "synonym"  # two words of one synset: the relation that has no pointer
POS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}


class Pointer(NamedTuple):
    """One arc: `source_word` and `target_word` count the words of the two synsets from 1; 0, 0 is a semantic one."""

    relation: str
    target: str
    source_word: int = 0
    target_word: int = 0

    @property
    def lexical(self) -> bool:
        return self.source_word > 0 or self.target_word > 0


class Synset(NamedTuple):
    """One concept. Lemmas keep the case of their file, with `_` for a blank.

    `markers` are the syntactic markers of adjectives, "(a)", "(p)", "(ip)" or "", one a lemma.
    """

    id: str
    pos: str
    lemmas: tuple[str, ...]
    pointers: tuple[Pointer, ...] = ()
    gloss: str = ""
    markers: tuple[str, ...] = ()
    satellite: bool = False


class WordNet:
    """Synsets in the order of their files, by identifier and by lemma.

    Args:
        synsets: with distinct identifiers.
        where: the file or folder, for messages.

    Raises:
        InputError: none at all, an identifier twice, or a pointer to a synset or to a word that is not there.
    """

    def __init__(self, synsets: Iterable[Synset], where: str | Path = "wordnet") -> None:
        self._by_id: dict[str, Synset] = {}
        for synset in synsets:
            if synset.id in self._by_id:
                raise InputError(f"{where}: the synset {shown(synset.id)} is there twice")
            self._by_id[synset.id] = synset
        if not self._by_id:
            raise InputError(f"{where}: expected synsets, found none")
        for synset in self._by_id.values():
            for pointer in synset.pointers:
                target = self._by_id.get(pointer.target)
                if target is None:
                    raise InputError(
                        f"{where}: the synset {shown(synset.id)} points ({shown(pointer.relation)}) to "
                        f"{shown(pointer.target)}, which is not there"
                    )
                if pointer.source_word > len(synset.lemmas) or pointer.target_word > len(target.lemmas):
                    raise InputError(
                        f"{where}: the synset {shown(synset.id)} points ({shown(pointer.relation)}) from word "
                        f"{pointer.source_word} to word {pointer.target_word} of {shown(target.id)}, and the two have "
                        f"{len(synset.lemmas)} and {len(target.lemmas)} words"
                    )

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Synset]:
        return iter(self._by_id.values())

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._by_id

    def __getitem__(self, identifier: str) -> Synset:
        """The synset of that identifier; InputError if there is none."""
        if identifier not in self._by_id:
            raise InputError(
                f"there is no synset {shown(identifier)}; an identifier is like {shown(next(iter(self._by_id)))}"
            )
        return self._by_id[identifier]

    def synsets(self, lemma: str, pos: str | None = None) -> list[Synset]:
        """The synsets of a lemma, in any case and with blanks or `_`; of one part of speech if `pos` says so."""
        candidates = self._by_lemma.get(lemma.lower().replace(" ", "_"), [])
        return [synset for synset in candidates if pos in (None, synset.pos)]

    def lemmas(self) -> list[str]:
        """The distinct lower-cased lemmas, sorted."""
        return sorted(self._by_lemma)

    def below(self, root: str, relations: Sequence[str] = ("hyponym", "instance_hyponym")) -> list[Synset]:
        """A synset and all that is reached from it by `relations`, breadth first; InputError if there is no `root`."""
        reached = {self[root].id: self[root]}
        for synset in (queue := [self[root]]):
            for pointer in synset.pointers:
                if pointer.relation in relations and pointer.target not in reached:
                    reached[pointer.target] = self._by_id[pointer.target]
                    queue.append(reached[pointer.target])
        return queue

    def counts(self) -> dict[str, int]:
        """How much there is: synsets, senses, lemmas, entries (lemma and part of speech), pointers by relation."""
        relations = Counter(pointer.relation for synset in self for pointer in synset.pointers)
        entries = {(lemma.lower(), synset.pos) for synset in self for lemma in synset.lemmas}
        return {
            "synsets": len(self),
            "senses": sum(len(synset.lemmas) for synset in self),
            "lemmas": len(self._by_lemma),
            "entries": len(entries),
            "pointers": relations.total(),
            "lexical_pointers": sum(pointer.lexical for synset in self for pointer in synset.pointers),
        } | {f"pointers_{name}": relations[name] for name in sorted(relations)}

    @cached_property
    def _by_lemma(self) -> dict[str, list[Synset]]:
        by_lemma: dict[str, dict[str, Synset]] = defaultdict(dict)
        for synset in self:
            for lemma in synset.lemmas:
                by_lemma[lemma.lower()][synset.id] = synset
        return {lemma: list(synsets.values()) for lemma, synsets in by_lemma.items()}
