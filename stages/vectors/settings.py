"""The section `vectors` of params.yaml: what its stages share."""

from typing import Any

from repline import parameters
from repline.parameters import Section


class Settings(Section):
    """The whole section; each stage checks its own part against the function that takes it."""

    imports: dict[str, dict[str, Any]]
    corpus: str
    word2vec: dict[str, Any]
    fasttext: dict[str, Any]
    lsa: dict[str, Any]


def read() -> Settings:
    """The section; InputError for a name or a type that it should not have."""
    return parameters.load(Settings, "vectors")
