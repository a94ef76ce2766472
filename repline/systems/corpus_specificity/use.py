"""LSA and word2vec of the whole corpus on raw words: `vector(word)` and `most_similar(word)`."""

from repline.use.folders import Description
from repline.use.word_space import NormalisedWordVectors, load_vectors


def load(description: Description) -> NormalisedWordVectors:
    """The vectors of LSA or of skip-gram; a word is looked up as it stands, else in lower case."""
    return load_vectors(description)
