"""Triplets that a parsed English sentence states: who does what, to what, where, next to what, of what, how it looks.

The rules read spaCy's relations (ClearNLP labels). They name words by their lemmas, in lower case:

    Agent      nsubj; by-agent of a passive; the noun of a relative clause whose subject is that, which, who
    Theme      dobj; nsubjpass; the noun of a relative clause that has another subject and no object
    Location   on, in, under, ... below a noun, or below a verb: of its object, else of its subject
    NextTo     next to, near, by
    Own        the lid of the box, the woman's bag: box Own lid, woman Own bag
    Property   an adjective before its noun, or after be

The verb of a request ("bring me ...") states nothing. Verbs that only place a thing (lie, stand, hang) state the place.

Source: ours; relations as in Rekaby Salama et al. (2018), section 2.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from repline.corpora.scenes.inferred_relations import LOCATION_VERBS
from repline.corpora.scenes.scene import Triplet

LOCATION_PREPOSITIONS = ("on", "in", "under", "inside", "upon", "at", "onto", "into", "above", "below", "atop")
NEAR_PREPOSITIONS = ("beside", "near", "by")  # of NextTo
RELATIVE = ("WDT", "WP", "IN")
NOUNS = ("NN", "NNS", "NNP", "NNPS")


class Stated(NamedTuple):
    """A triplet with the places, from 0, of the two words that it comes from."""

    triplet: Triplet
    argument_place: int
    predicate_place: int


def stated_triplets(
    lemmas: Sequence[str], tags: Sequence[str], heads: Sequence[int], relations: Sequence[str]
) -> list[Stated]:
    """The triplets that a sentence states, in the order of the words, each once.

    Args:
        lemmas, tags, heads, relations: of each word; heads count from 0, the root's is -1.
    """
    sentence = _Sentence(lemmas, tags, heads, relations)
    stated_by_triplet: dict[Triplet, Stated] = {}
    for word in range(len(lemmas)):
        for stated in (*_actions(sentence, word), *_positions(sentence, word), *_attributes(sentence, word)):
            stated_by_triplet.setdefault(stated.triplet, stated)
    return list(stated_by_triplet.values())


class _Sentence:
    def __init__(
        self, lemmas: Sequence[str], tags: Sequence[str], heads: Sequence[int], relations: Sequence[str]
    ) -> None:
        self.lemmas = [lemma.lower() for lemma in lemmas]
        self.tags, self.heads, self.relations = tags, heads, relations
        self.below: list[list[int]] = [[] for _ in lemmas]
        for word, head in enumerate(heads):
            if head >= 0:
                self.below[head].append(word)

    def is_noun(self, word: int) -> bool:
        return self.tags[word] in NOUNS

    def children(self, word: int, *relations: str) -> list[int]:
        return [child for child in self.below[word] if self.relations[child] in relations]

    def together(self, word: int) -> list[int]:
        """A noun and the nouns that `and` joins to it."""
        joined, position = [word], 0
        while position < len(joined):
            joined += self.children(joined[position], "conj")
            position += 1
        return [noun for noun in joined if self.is_noun(noun)]

    def meant(self, word: int) -> list[int]:
        """The nouns that a subject or object stands for: itself; of a relative pronoun, what the clause is about."""
        if self.is_noun(word):
            return self.together(word)
        clause = self.heads[word]
        if clause >= 0 and self.tags[word] in RELATIVE and self.relations[clause] == "relcl":
            noun = self.heads[clause]
            if self.tags[clause] == "VBP":  # a mug and a candle that lie on the table
                while self.relations[noun] == "conj" and self.is_noun(self.heads[noun]):
                    noun = self.heads[noun]
                return self.together(noun)
            return [noun] if self.is_noun(noun) else []
        return []

    def stated(self, argument: int, relation: str, predicate: int) -> Stated:
        return Stated(Triplet(self.lemmas[argument], relation, self.lemmas[predicate]), argument, predicate)


def _subjects(sentence: _Sentence, verb: int) -> list[int]:
    return [noun for child in sentence.children(verb, "nsubj") for noun in sentence.meant(child)]


def _themes(sentence: _Sentence, verb: int) -> list[int]:
    themes = [noun for child in sentence.children(verb, "dobj", "nsubjpass") for noun in sentence.meant(child)]
    clause = sentence.relations[verb]
    if clause == "acl" and sentence.tags[verb] == "VBN":
        themes.append(sentence.heads[verb])
    subject = sentence.children(verb, "nsubj")
    if clause == "relcl" and subject and sentence.is_noun(subject[0]) and not themes:
        themes.append(sentence.heads[verb])
    return [noun for noun in themes if sentence.is_noun(noun)]


def _actors(sentence: _Sentence, verb: int) -> list[int]:
    actors = _subjects(sentence, verb)
    for by in sentence.children(verb, "agent"):
        actors += [noun for child in sentence.children(by, "pobj") for noun in sentence.meant(child)]
    if sentence.relations[verb] == "acl" and sentence.tags[verb] == "VBG" and sentence.is_noun(sentence.heads[verb]):
        actors.append(sentence.heads[verb])
    return actors


def _actions(sentence: _Sentence, verb: int) -> Iterator[Stated]:
    lemma = sentence.lemmas[verb]
    if not sentence.tags[verb].startswith("VB") or lemma in ("be", "have", *LOCATION_VERBS):
        return
    if sentence.relations[verb] in ("aux", "auxpass"):
        return
    actors = _actors(sentence, verb)
    request = sentence.tags[verb] == "VB" and sentence.relations[verb] == "ROOT"
    if request and not actors:
        return
    for noun in actors:
        yield sentence.stated(noun, "Agent", verb)
    for noun in _themes(sentence, verb):
        yield sentence.stated(noun, "Theme", verb)


def _positions(sentence: _Sentence, word: int) -> Iterator[Stated]:
    """Relations that a preposition states: what is where, or next to what."""
    if sentence.relations[word] not in ("prep", "agent"):
        return
    head, lemma = sentence.heads[word], sentence.lemmas[word]
    objects = [noun for placed in sentence.children(word, "pobj") for noun in sentence.together(placed)]
    is_near = lemma in NEAR_PREPOSITIONS and sentence.relations[word] == "prep"
    if lemma == "to" and sentence.lemmas[head] == "next":
        is_near, head = True, sentence.heads[head]
    if head < 0:
        return
    for placed in _placed(sentence, head):
        for landmark in objects:
            if is_near and placed != landmark:
                yield sentence.stated(placed, "NextTo", landmark)
            elif lemma in LOCATION_PREPOSITIONS and placed != landmark:
                yield sentence.stated(placed, "Location", landmark)
            elif lemma == "of" and sentence.is_noun(head):
                yield sentence.stated(landmark, "Own", placed)
    if (
        lemma in LOCATION_PREPOSITIONS
        and sentence.is_noun(head)
        and any(sentence.lemmas[child] == "it" for child in sentence.below[word])
    ):
        with_ = sentence.heads[head]  # a table with a mug on it
        if with_ >= 0 and sentence.lemmas[with_] == "with":
            for whole in _placed(sentence, sentence.heads[with_]):
                yield sentence.stated(head, "Location", whole)


def _placed(sentence: _Sentence, head: int) -> list[int]:
    """The nouns that a location below `head` is the location of."""
    if head < 0 or sentence.is_noun(head):
        return [head] if head >= 0 else []
    if not sentence.tags[head].startswith("VB"):
        return []
    if sentence.lemmas[head] == "be":
        return [noun for child in sentence.children(head, "attr") for noun in sentence.together(child)] or _subjects(
            sentence, head
        )
    return _themes(sentence, head) or _actors(sentence, head)


def _attributes(sentence: _Sentence, word: int) -> Iterator[Stated]:
    head = sentence.heads[word]
    if head < 0:
        return
    relation, tag = sentence.relations[word], sentence.tags[word]
    if relation == "amod" and tag.startswith("JJ") and sentence.is_noun(head) and sentence.lemmas[word] != "next":
        yield sentence.stated(head, "Property", word)
    if relation == "acomp" and tag.startswith("JJ") and sentence.lemmas[head] == "be":
        for noun in _subjects(sentence, head):
            yield sentence.stated(noun, "Property", word)
    if relation == "poss" and sentence.is_noun(word) and sentence.is_noun(head):
        yield sentence.stated(word, "Own", head)
