"""The section `concreteness` of params.yaml.

The knobs of the regressors and of the made language are those of the functions that take them; the stages that call
these check them.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from repline.parameters import Section

Regressor = Literal["svr", "svr_narrow", "svr_raw", "ridge", "frequency", "ffn"]
Count = Annotated[int, Field(ge=1)]


class Ratings(Section):
    """Ratings in data/, in any form that can be read."""

    place: str


class Taxonomy(Section):
    """Nouns rated by their place in a wordnet."""

    wordnet: str
    words: Count | None


class Part(Section):
    """A part of the rated words: at most `most` (None: all), judged by `methods`, once a seed."""

    most: Count | None
    methods: Annotated[list[Regressor], Field(min_length=1)]
    seeds: Annotated[list[int], Field(min_length=1)]


class Across(Section):
    """Transfer into a second language; the fields are explained in params.yaml."""

    name: str
    source: str
    most: Count | None
    vectors: str
    ratings: str
    dictionary: str
    concepts: str
    disjoint: bool
    pairs: Annotated[list[Count], Field(min_length=1)]
    frequent: Count
    search: Count
    dropout: Annotated[float, Field(ge=0, lt=1)]


class Lexicon(Section):
    """Predictions for words that nobody rated."""

    ratings: str
    words: Count | None
    most: Count | None


class Settings(Section):
    """The whole section."""

    vectors: str
    ratings: Annotated[dict[str, Ratings], Field(min_length=1)]
    taxonomy: Taxonomy
    folds: Annotated[int, Field(ge=2)]
    shuffles: Count
    parts: Annotated[dict[str, Part], Field(min_length=1)]
    svr: dict[str, Any]
    ffn: dict[str, Any]
    across: Across
    language: dict[str, Any]
    lexicon: Lexicon
