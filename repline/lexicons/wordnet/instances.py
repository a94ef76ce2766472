"""The instances of a wordnet (Paris, Ada Lovelace) and the classes above them.

Source: Miller & Hristea 2006, "WordNet nouns: classes and instances", Computational Linguistics 32(1).
"""

from collections.abc import Iterator

from repline.lexicons.wordnet.synsets import Synset, WordNet


def instances(wordnet: WordNet) -> Iterator[Synset]:
    """The nouns that are an instance of something."""
    for synset in wordnet:
        if synset.pos == "n" and any(pointer.relation == "instance_hypernym" for pointer in synset.pointers):
            yield synset


def classes(wordnet: WordNet, lemma: str, above: str) -> list[Synset]:
    """The nouns of a lemma that have a hypernym of the lemma `above` (person below organism, not below grammar)."""
    return [
        synset
        for synset in wordnet.synsets(lemma, "n")
        if any(above in other.lemmas for other in hypernyms(wordnet, synset))
    ]


def hypernyms(wordnet: WordNet, synset: Synset) -> list[Synset]:
    """What a synset is directly a kind or an instance of."""
    kinds = ("hypernym", "instance_hypernym")
    return [wordnet[pointer.target] for pointer in synset.pointers if pointer.relation in kinds]


def ancestors(wordnet: WordNet, synset: Synset) -> set[str]:
    """The identifiers of all that is above a synset."""
    found: set[str] = set()
    for one in (queue := [synset]):
        new = [other for other in hypernyms(wordnet, one) if other.id not in found]
        found.update(other.id for other in new)
        queue += new
    return found
