"""Places and events of a wordnet as documents: the gloss of each instance that is a part of something.

    "a port and tourist center in southwestern Italy"
    topics   port, city, geographic_point, municipality    the classes it is an instance of, and those right above them
    places   Campania, Italy, Europe, Eurasia, ...         all that it is a part of, and what these are parts of

Both are the wordnet's own relations (instance_hypernym, hypernym, part_holonym). The name itself is not in the text.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from repline.corpora.labelled.document import Document
from repline.errors import InputError
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.synsets import Synset, WordNet


def read_places(path: str | Path) -> Iterator[Document]:
    """The instances with a gloss, a class and a whole, in the order of the wordnet.

    Args:
        path: as of `repline.lexicons.wordnet.storage.read`.

    Yields:
        documents with `topics` and `places`, sorted. A label is the first lemma of a synset, with its identifier where
        several synsets begin with that lemma.

    Raises:
        InputError: the wordnet cannot be read, or has no such instance.
    """
    wordnet = storage.read(path)
    described: list[tuple[Synset, dict[str, list[Synset]]]] = []
    for synset in wordnet:
        classes = _targets(wordnet, synset, "instance_hypernym")
        wholes = _closure(wordnet, synset, "part_holonym")
        if classes and wholes and synset.gloss:
            above = [broader for synset_above in classes for broader in _targets(wordnet, synset_above, "hypernym")]
            described.append((synset, {"topics": [*classes, *above], "places": wholes}))
    if not described:
        raise InputError(f"{path}: expected instances with a gloss and a holonym, found none")
    labels = {
        synset_above.id: synset_above.lemmas[0]
        for _, kinds in described
        for synsets in kinds.values()
        for synset_above in synsets
    }
    often = Counter(labels.values())
    names = {
        synset_above: lemma if often[lemma] == 1 else f"{lemma} ({synset_above})"
        for synset_above, lemma in labels.items()
    }
    for synset, kinds in described:
        yield Document(
            synset.id,
            synset.gloss,
            {kind: sorted({names[synset_above.id] for synset_above in of}) for kind, of in kinds.items()},
        )


def _targets(wordnet: WordNet, synset: Synset, relation: str) -> list[Synset]:
    return [wordnet[pointer.target] for pointer in synset.pointers if pointer.relation == relation]


def _closure(wordnet: WordNet, synset: Synset, relation: str) -> list[Synset]:
    """All that is reached from the synset by a relation, without itself."""
    reached: dict[str, Synset] = {}
    queue: Sequence[Synset] = [synset]
    while queue:
        next_synsets = [target for member in queue for target in _targets(wordnet, member, relation)]
        queue = [
            member for member in {member.id: member for member in next_synsets}.values() if member.id not in reached
        ]
        reached |= {member.id: member for member in queue}
    reached.pop(synset.id, None)
    return list(reached.values())
