"""Vectors from WordNet on raw words: `vector(word)` and `most_similar(word)`."""

from repline.use.folders import Description
from repline.use.word_space import NormalisedWordVectors, load_vectors


def load(description: Description) -> NormalisedWordVectors:
    """The vectors of the whole graph, or of a variant for the words of the tests.

    A word is looked up as it stands, else in lower case and with "_" for blanks, as WordNet writes "hot_dog".
    """
    return load_vectors(description)
