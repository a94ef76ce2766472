import pytest

from repline.errors import InputError
from repline.lexicons.wordnet.noun_classes import TOPS, noun_classes
from repline.lexicons.wordnet.synsets import Pointer, Synset, WordNet


def noun(name, *above, instance=False):
    relation = "instance_hypernym" if instance else "hypernym"
    return Synset(name, "n", (name,), tuple(Pointer(relation, target) for target in above))


def test_the_nearest_beginner_counts():
    wordnet = WordNet(
        [
            noun("entity"),
            noun("organism", "entity"),
            noun("animal", "organism"),
            noun("person", "organism"),
            noun("dog", "animal"),
            noun("laika", "dog", instance=True),
            noun("trainer", "person"),
            noun("centaur", "dog", "person"),  # nearer to a person
            Synset("bark", "v", ("bark",)),
        ]
    )
    assert noun_classes(wordnet) == {
        "entity": TOPS,
        "organism": TOPS,
        "animal": "animal",
        "person": "person",
        "dog": "animal",
        "laika": "animal",
        "trainer": "person",
        "centaur": "person",
    }


def test_a_lemma_elsewhere_is_no_beginner():
    wordnet = WordNet([noun("organism"), noun("animal", "organism"), noun("trait"), noun("person", "trait")])
    assert noun_classes(wordnet)["person"] == TOPS


def test_a_wordnet_without_beginners_is_refused():
    with pytest.raises(InputError, match="no beginner of the classes of nouns"):
        noun_classes(WordNet([noun("dog")]))
