"""The section `vectors` of params.yaml: what its stages share."""

from typing import Any

from repline import parameters
from repline.parameters import Section
from repline.vectors.recipes import FastText, Word2Vec


class Settings(Section):
    """The whole section; each stage checks its own part against the function that takes it."""

    imports: dict[str, dict[str, Any]]
    corpus: str
    word2vec: Word2Vec
    fasttext: FastText
    lsa: dict[str, Any]


def read() -> Settings:
    """The section; InputError for a name or a type that it should not have."""
    return parameters.load(Settings, "vectors")
