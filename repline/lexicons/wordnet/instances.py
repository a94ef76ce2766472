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
        if any(above in hypernym.lemmas for hypernym in hypernyms(wordnet, synset))
    ]


def hypernyms(wordnet: WordNet, synset: Synset) -> list[Synset]:
    """What a synset is directly a kind or an instance of."""
    kinds = ("hypernym", "instance_hypernym")
    return [wordnet[pointer.target] for pointer in synset.pointers if pointer.relation in kinds]


def ancestors(wordnet: WordNet, synset: Synset) -> set[str]:
    """The identifiers of all that is above a synset."""
    identifiers: set[str] = set()
    for descendant in (queue := [synset]):
        new = [parent for parent in hypernyms(wordnet, descendant) if parent.id not in identifiers]
        identifiers.update(parent.id for parent in new)
        queue += new
    return identifiers
