"""Which items of a scene are related, and how: the part of the context that the parser sees.

Source: Rekaby Salama et al. (2018), section 3.1; what the paper leaves open is as in the authors' code.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from repline.corpora.scenes.inferred_relations import inferred_location_verbs, inferred_next_to
from repline.corpora.scenes.scene import Triplet, Word, items_of, name_of
from repline.systems.context_parser.settings import NextTo

KINDS = ("agent", "theme", "inferred_agent", "inferred_theme", "own", "location", "next_to", "property")
# fine tags that refer to an item, and those that a gap may have, in the order in which they are tried
REFERRING = ("VBZ", "VBN", "VB", "VBD", "VBG", "VBP", "NN", "NNP", "NNS", "JJ")
_KIND = {"Agent": 0, "Theme": 1, "Own": 4, "Location": 5, "NextTo": 6, "Property": 7}
_INFERRED = {"Agent": 2, "Theme": 3, "NextTo": 6}


@dataclass(frozen=True)
class Context:
    """The items of a scene and the relations between them, for one sentence.

    Attributes:
        items: of the original triplets, in their order; then the senses of inferred verbs.
        fillers: how many of the first items may fill a gap: those of the original triplets.
        original: [I, I] bits, one for each of KINDS, of the relations between two items in either direction.
        inferred: [I, I] bits of the inferred ones.
    """

    items: tuple[str, ...]
    fillers: int
    original: NDArray[np.uint8]
    inferred: NDArray[np.uint8]

    def named(self, lemma: str) -> list[int]:
        """The indices of the items that are called `lemma`, upper and lower case alike."""
        return [index for index, item in enumerate(self.items) if name_of(item).lower() == lemma.lower()]


def context_of(triplets: Sequence[Triplet], words: Sequence[Word], *, next_to: NextTo = "always") -> Context:
    """The context of a sentence: the triplets of its scene, and what follows from them.

    Args:
        words: of the sentence; a gap's lemma must be hidden.
        next_to: whether items at the same place are next to each other always, as in the authors' code, or where the
            sentence may speak of both of them and of the place, as in the paper.
    """
    lemmas = {word.lemma.lower() for word in words}
    mentioned: Collection[str] | None = None
    if next_to == "mentioned":
        mentioned = {item for item in items_of(triplets) if name_of(item).lower() in lemmas}
    inferred = [*inferred_next_to(triplets, mentioned=mentioned), *inferred_location_verbs(triplets, lemmas)]
    fillers = items_of(triplets)
    items = list(dict.fromkeys([*fillers, *items_of(inferred)]))
    number = {item: index for index, item in enumerate(items)}
    masks = np.zeros((2, len(items), len(items)), np.uint8)
    for mask, relations, kinds in ((masks[0], triplets, _KIND), (masks[1], inferred, _INFERRED)):
        for argument, relation, predicate in relations:
            row, column = number[argument], number[predicate]
            mask[row, column] |= 1 << kinds[relation]
            mask[column, row] |= 1 << kinds[relation]
    return Context(tuple(items), len(fillers), masks[0], masks[1])


def candidates_of(word: Word, context: Context) -> list[int]:
    """The items that a word may refer to by its lemma; none for words that refer to nothing."""
    if word.tag not in REFERRING or word.lemma == "be":
        return []
    return context.named(word.lemma)


def gold_relations(words: Sequence[Word], context: Context) -> NDArray[np.uint8]:
    """The kinds of relations between the words of a complete sentence, as bits: [n + 1, n + 1], the root has none.

    A word with a reference stands for it (for each of its alternatives); one without for all that its lemma may mean,
    so that `lies` gets inferred relations.
    """
    number = {item: index for index, item in enumerate(context.items)}
    meant = [
        [number[item] for item in word.references if item in number]
        if word.references
        else candidates_of(word, context)
        for word in words
    ]
    relations = context.original | context.inferred
    bits = np.zeros((len(words) + 1, len(words) + 1), np.uint8)
    for row, row_items in enumerate(meant, start=1):
        for column, column_items in enumerate(meant, start=1):
            if row != column and row_items and column_items:
                bits[row, column] = np.bitwise_or.reduce(relations[np.ix_(row_items, column_items)], axis=None)
    return bits
