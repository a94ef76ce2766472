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
    found: list[tuple[Synset, dict[str, list[Synset]]]] = []
    for synset in wordnet:
        classes = _targets(wordnet, synset, "instance_hypernym")
        wholes = _closure(wordnet, synset, "part_holonym")
        if classes and wholes and synset.gloss:
            above = [other for one in classes for other in _targets(wordnet, one, "hypernym")]
            found.append((synset, {"topics": [*classes, *above], "places": wholes}))
    if not found:
        raise InputError(f"{path}: there is no instance with a gloss and something that it is a part of")
    labels = {one.id: one.lemmas[0] for _, kinds in found for synsets in kinds.values() for one in synsets}
    often = Counter(labels.values())
    names = {one: lemma if often[lemma] == 1 else f"{lemma} ({one})" for one, lemma in labels.items()}
    for synset, kinds in found:
        yield Document(
            synset.id, synset.gloss, {kind: sorted({names[one.id] for one in of}) for kind, of in kinds.items()}
        )


def _targets(wordnet: WordNet, synset: Synset, relation: str) -> list[Synset]:
    return [wordnet[pointer.target] for pointer in synset.pointers if pointer.relation == relation]


def _closure(wordnet: WordNet, synset: Synset, relation: str) -> list[Synset]:
    """All that is reached from the synset by a relation, without itself."""
    reached: dict[str, Synset] = {}
    queue: Sequence[Synset] = [synset]
    while queue:
        found = [other for one in queue for other in _targets(wordnet, one, relation)]
        queue = [one for one in {one.id: one for one in found}.values() if one.id not in reached]
        reached |= {one.id: one for one in queue}
    reached.pop(synset.id, None)
    return list(reached.values())
