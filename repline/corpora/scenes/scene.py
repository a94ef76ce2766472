"""Triplets, annotated words, sentences and scenes.

Source: Rekaby Salama, Alaçam and Menzel (2018), sections 2 and 3; their data set MD-TC.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from repline.errors import InputError
from repline.reading.conllu import cycle

RELATIONS = ("Agent", "Theme", "Own", "Location", "NextTo", "Property")
GAP = "??"  # the form of a word that is missing


class Triplet(NamedTuple):
    """`argument` stands in `relation` (one of RELATIONS) to `predicate`: ball_1 Location table_1."""

    argument: str
    relation: str
    predicate: str


class Word(NamedTuple):
    """One word of a sentence. `head` counts from 1 and is 0 at the root; of `references`, any one is right."""

    form: str
    lemma: str
    coarse: str  # part of speech, the first letters of the tag: NN, VB, JJ
    tag: str  # Penn Treebank: NNS, VBZ
    head: int
    dep: str
    references: tuple[str, ...] = ()  # items of the scene: mug_1


@dataclass(frozen=True)
class SceneSentence:
    """A sentence about a scene.

    Attributes:
        words: its words, with their gold tree.
        triplets: those of the scene.
        scene: the name of the scene.
        kind: of synthetic sentences, the template: T1A to T6.
        asserted: of synthetic sentences, the triplets that the sentence states.
    """

    words: tuple[Word, ...]
    triplets: tuple[Triplet, ...]
    scene: str
    kind: str = ""
    asserted: tuple[Triplet, ...] = ()

    @property
    def text(self) -> str:
        """The words between blanks."""
        return " ".join(word.form for word in self.words)

    @property
    def gaps(self) -> tuple[int, ...]:
        """The places of the missing words, counted from 0."""
        return tuple(position for position, word in enumerate(self.words) if word.form == GAP)


@dataclass(frozen=True)
class Scene:
    """A scene: triplets, complete sentences about it, and the same sentences with a word missing."""

    name: str
    triplets: tuple[Triplet, ...]
    sentences: tuple[SceneSentence, ...]
    gapped: tuple[SceneSentence, ...]


def name_of(item: str) -> str:
    """What an item is called: `mug` of mug_1; a property (`green`) is its own name."""
    return item.partition("_")[0]


def coarse_of(tag: str) -> str:
    """The coarse part of speech of a Penn Treebank tag as MD-TC writes it: NN of NNS, else the tag."""
    return tag[:2] if tag[:2] in ("NN", "VB", "JJ") else tag


def items_of(triplets: Sequence[Triplet]) -> list[str]:
    """The arguments and predicates of triplets, each once, in their order."""
    return list(dict.fromkeys(item for triplet in triplets for item in (triplet.argument, triplet.predicate)))


def check_heads(heads: Sequence[int], where: str, *, cycles: bool = False) -> None:
    """Raise InputError, which begins with `where`, where heads (from 1, 0 at a root) are no tree over the words.

    Args:
        cycles: whether cycles may be there.
    """
    for word, head in enumerate(heads, start=1):
        if not 0 <= head <= len(heads):
            raise InputError(f"{where}, word {word}: expected a head from 0 to {len(heads)}, found {head}")
    if not cycles and (words := cycle(heads)):
        circle = " -> ".join(map(str, words))
        raise InputError(f"{where}: the heads of the words {circle} form a cycle; a tree has none")
