"""Ratings of nouns are the share of their physical senses."""

import pytest

from repline.errors import InputError
from repline.lexicons.wordnet.synsets import Pointer, Synset, WordNet
from repline.systems.concreteness.taxonomy import taxonomic_concreteness


def synset(identifier, lemmas, *below, pos="n"):
    return Synset(
        identifier, pos, tuple(lemmas), tuple(Pointer("hyponym", identifier_below) for identifier_below in below)
    )


WORDNET = WordNet(
    [
        synset("1", ["entity"], "2", "3"),
        synset("2", ["physical_entity"], "4", "5"),
        synset("3", ["abstraction"], "6", "7"),
        synset("4", ["dog", "hound"]),
        synset("5", ["bank"]),
        synset("6", ["bank", "faith"]),
        synset("7", ["Faith"]),
        synset("8", ["run"], pos="v"),
        synset("9", ["run"], pos="v"),
        synset("10", ["run"]),
    ]
)


def test_ratings_are_shares_of_senses():
    ratings = taxonomic_concreteness(WORDNET, ["hound", "bank", "faith", "run", "unknown"])
    assert list(ratings) == ["hound", "bank", "faith"]  # `run` is more of a verb
    assert ratings["hound"] == {"concreteness": 5.0, "concreteness_sd": 0.0}
    assert ratings["bank"] == {"concreteness": 3.0, "concreteness_sd": 2.0}
    assert ratings["faith"] == {"concreteness": 1.0, "concreteness_sd": 0.0}  # the name is another word


def test_nothing_to_rate():
    with pytest.raises(InputError, match="none of the words"):
        taxonomic_concreteness(WORDNET, ["unknown"])
    with pytest.raises(InputError, match="no noun 'thing'"):
        taxonomic_concreteness(WORDNET, ["dog"], root="thing")
