"""The semantic class of every noun of a wordnet: the nearest unique beginner above it.

WordNet's lexicographers kept nouns in 25 files (noun.animal, noun.person, ...), each below one beginner or a few, and
the beginners themselves in noun.Tops. Wordnets that come as XML do not name these files, so that the class is taken
from the hierarchy.

Source: Miller 1990, "Nouns in WordNet: a lexical inheritance system", International Journal of Lexicography 3(4).
"""

from repline.errors import InputError
from repline.lexicons.wordnet.instances import classes, hypernyms
from repline.lexicons.wordnet.synsets import WordNet

TOPS = "tops"  # what has no beginner above it
# a class, and its beginners: lemma and a lemma of the hypernym
BEGINNERS = {
    "act": [("act", "event")],
    "animal": [("animal", "organism")],
    "artifact": [("artifact", "whole")],
    "attribute": [("attribute", "abstraction")],
    "body": [("body", "natural_object"), ("body_part", "part")],
    "cognition": [("cognition", "psychological_feature")],
    "communication": [("communication", "abstraction")],
    "event": [("event", "psychological_feature")],
    "feeling": [("feeling", "state")],
    "food": [("food", "substance"), ("food", "solid")],
    "group": [("group", "abstraction")],
    "location": [("location", "object")],
    "motive": [("motive", "psychological_feature")],
    "object": [("object", "physical_entity")],
    "person": [("person", "organism")],
    "phenomenon": [("phenomenon", "process")],
    "plant": [("plant", "organism")],
    "possession": [("possession", "relation")],
    "process": [("process", "physical_entity")],
    "quantity": [("quantity", "abstraction")],
    "relation": [("relation", "abstraction")],
    "shape": [("shape", "attribute")],
    "state": [("state", "attribute")],
    "substance": [("substance", "matter")],
    "time": [("time", "attribute"), ("time_period", "fundamental_quantity")],
}


def noun_classes(wordnet: WordNet) -> dict[str, str]:
    """The class of each noun synset by its identifier.

    The nearest beginner counts by the number of hypernyms between; of equally near ones that of the first hypernym. A
    beginner is in its own class.

    Raises:
        InputError: the wordnet has none of the beginners.
    """
    class_of = {
        synset.id: name
        for name, pairs in BEGINNERS.items()
        for lemma, above in pairs
        for synset in classes(wordnet, lemma, above)
    }
    if not class_of:
        raise InputError("the wordnet has no beginner of the classes of nouns, such as person below organism")
    level = list(class_of)
    below: dict[str, list[str]] = {}
    nouns = [synset.id for synset in wordnet if synset.pos == "n"]
    for synset in nouns:
        for target in hypernyms(wordnet, wordnet[synset]):
            below.setdefault(target.id, []).append(synset)
    while level:  # breadth first, so that the nearest beginner comes first
        reached: dict[str, str] = {}
        for synset in level:
            for hyponym in below.get(synset, ()):
                if hyponym not in class_of:
                    reached.setdefault(hyponym, class_of[synset])
        class_of |= reached
        level = list(reached)
    return {synset: class_of.get(synset, TOPS) for synset in nouns}
