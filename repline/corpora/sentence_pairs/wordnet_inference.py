"""Pairs of inference made from a wordnet: what follows depends on a noun alone, and its definition tells it.

    the beagle slept near the gate      the hound slept near the gate      entailment: a word above the noun
    the hound slept near the gate       the beagle slept near the gate     neutral: a word below it
    the beagle slept near the gate      the terrier slept near the gate    contradiction: a word next to it

Around a noun there are always three pairs, one a label, with the same sentence: as the second of each pair, or as the
first of each. The sentence that the three share says nothing of the label; the other one may, as far as a word tells
how general it is. All words of a pair are in one split, and no noun is in two.

The sentences are true of no world: "contradiction" is meant as in SNLI, of one event.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import count

import numpy as np

from repline.corpora.sentence_pairs.pair_tables import INFERENCE, SentencePair
from repline.corpora.sentence_pairs.recipes import WordnetInference
from repline.errors import InputError, shown
from repline.lexicons.wordnet.instances import ancestors
from repline.lexicons.wordnet.noun_classes import noun_classes
from repline.lexicons.wordnet.synsets import WordNet
from repline.parameters import nearest

SPLITS = ("train", "dev", "test")
_NOUN = re.compile("[a-z]{3,}")
# frames by the class of the noun; the slots are filled with words of FILLERS
FRAMES = {
    "animal": [
        "the {noun} slept near the {place}",
        "a {person} saw the {noun} behind the {place}",
        "the {person} is looking at one {noun}",
        "one {noun} waited for the {person} by the {place}",
    ],
    "plant": [
        "the {noun} grows near the {place}",
        "a {person} planted one {noun} behind the {place}",
        "the {person} is looking at the {noun}",
        "one {noun} stood between the {person} and the {place}",
    ],
    "artifact": [
        "the {noun} was left near the {place}",
        "a {person} carried the {noun} to the {place}",
        "the {person} is looking at one {noun}",
        "one {noun} was bought by the {person}",
    ],
    "food": [
        "the {noun} was served near the {place}",
        "a {person} tasted the {noun} behind the {place}",
        "the {person} is asking for some {noun}",
        "some {noun} was bought by the {person}",
    ],
    "substance": [
        "the {noun} was kept near the {place}",
        "a {person} carried some {noun} to the {place}",
        "the {person} is asking for some {noun}",
        "some {noun} was sold to the {person}",
    ],
}
FILLERS = {
    "person": ["man", "woman", "boy", "girl", "teacher", "doctor", "farmer", "child"],
    "place": ["gate", "river", "house", "market", "road", "school", "window", "wall"],
}


def wordnet_inference(wordnet: WordNet, settings: WordnetInference) -> Iterator[tuple[str, SentencePair]]:
    """The pairs, three around each noun, with the split that they are in.

    Raises:
        InputError: an unknown class or split, or a split for which there are too few nouns.
    """
    for valid, names_used, what in ((FRAMES, settings.classes, "class"), (SPLITS, settings.triples, "split")):
        if unknown := [name for name in names_used if name not in valid]:
            raise InputError(
                f"there is no {what} {shown(unknown[0])} of made sentence pairs{nearest(unknown[0], valid)}"
            )
    random = np.random.default_rng(settings.seed)
    classes = noun_classes(wordnet)
    nouns = _nouns(wordnet, settings, classes)
    relatives = _Relatives(wordnet, nouns, settings.levels)
    belongs: dict[str, str] = {}  # a noun -> its split
    triples_left = dict(settings.triples)
    number = count()
    for centre in random.permutation(sorted(nouns)).tolist():
        open_splits = [split for split in SPLITS if triples_left.get(split)]
        if not open_splits:
            return
        left = np.array([triples_left[split] for split in open_splits], float)
        kin = relatives.of(centre)
        near = (belongs.get(nouns[synset]) for synset in [centre, *sorted(kin[0])])
        drawn = next(filter(None, near), None) or open_splits[random.choice(len(left), p=left / left.sum())]
        if drawn not in open_splits:
            continue
        related = [
            _one(random, sorted(o for o in candidates if belongs.get(nouns[o], drawn) == drawn)) for candidates in kin
        ]
        words = [nouns[centre], *(nouns[synset] for synset in related if synset)]
        if len(set(words)) < 4:
            continue
        triples_left[drawn] -= 1
        belongs |= dict.fromkeys(words, drawn)
        yield from _triple(random, classes[centre], words, drawn, next(number))
    if short := [split for split, missing in triples_left.items() if missing]:
        raise InputError(
            f"the wordnet has too few nouns for {settings.triples[short[0]]} triples of {short[0]}, "
            f"{triples_left[short[0]]} are missing; ask for fewer triples, or allow more senses, levels or classes"
        )


def _nouns(wordnet: WordNet, settings: WordnetInference, classes: dict[str, str]) -> dict[str, str]:
    """A lemma of each synset that has one of few senses, by the synset; no lemma stands for two."""
    lemmas: dict[str, str] = {}
    taken: set[str] = set()
    for synset in wordnet:
        if classes.get(synset.id) in settings.classes:
            for lemma in synset.lemmas:
                fits = _NOUN.fullmatch(lemma) and len(wordnet.synsets(lemma)) <= settings.senses
                if fits and lemma not in taken:
                    lemmas[synset.id] = lemma
                    taken.add(lemma)
                    break
    return lemmas


class _Relatives:
    """The nouns above, below and next to one."""

    def __init__(self, wordnet: WordNet, nouns: Collection[str], levels: int):
        self.wordnet, self.nouns, self.levels = wordnet, set(nouns), levels

    def of(self, noun: str) -> list[set[str]]:
        """In the order of the labels of the pairs (noun, other): entailment, neutral, contradiction."""
        above, below = self._reached([noun], "hypernym"), self._reached([noun], "hyponym")
        siblings = self._reached(sorted(self._step([noun], "hypernym")), "hyponym", levels=1)
        kin = ancestors(self.wordnet, self.wordnet[noun]) | {synset.id for synset in self.wordnet.below(noun)}
        mixed = {synset for synset in siblings if self._step([synset], "hyponym") & kin}
        return [synset & self.nouns for synset in (above, below, siblings - kin - mixed)]

    def _reached(self, start: Sequence[str], relation: str, levels: int | None = None) -> set[str]:
        reached: set[str] = set()
        level: set[str] = set(start)
        for _ in range(levels or self.levels):
            level = self._step(sorted(level), relation)
            reached |= level
        return reached

    def _step(self, synsets: Sequence[str], relation: str) -> set[str]:
        return {p.target for synset in synsets for p in self.wordnet[synset].pointers if p.relation == relation}


def _one(random: np.random.Generator, options: list[str]) -> str:
    return options[random.integers(len(options))] if options else ""


def _triple(
    random: np.random.Generator, kind: str, words: Sequence[str], split: str, number: int
) -> Iterator[tuple[str, SentencePair]]:
    """The pairs of a noun with the ones above, below and next to it, the noun first or second in all of them."""
    frame = FRAMES[kind][random.integers(len(FRAMES[kind]))]
    fillers = {slot: options[random.integers(len(options))] for slot, options in FILLERS.items()}
    centre, *related_sentences = (frame.format(noun=word, **fillers) for word in words)
    entails, neutral, contradicts = INFERENCE
    first = bool(random.integers(2))
    labels = (entails, neutral, contradicts) if first else (neutral, entails, contradicts)
    for label, related_sentence in zip(labels, related_sentences, strict=True):
        premise, hypothesis = (centre, related_sentence) if first else (related_sentence, centre)
        yield split, SentencePair(f"{number}-{label}", premise, hypothesis, label, group=str(number))
