"""The section `word_vector_suite` of params.yaml."""

from typing import Annotated

from pydantic import Field

from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.embedding import Embedding
from repline.parameters import Section, signature


class Vectors(Section):
    """A folder of data/vectors, of which only the words count that the folder `like` has; its own: all of them."""

    folder: str
    like: str


class OtherVectors(Vectors):
    """Vectors of another language than English, and the one or two folders of data/raw with tests in it."""

    sources: Annotated[list[str], Field(min_length=1, max_length=2)]


class Table(Section):
    """Which vectors are judged, on the tests of which folders of data/raw."""

    vectors: Annotated[dict[str, Vectors], Field(min_length=1)]
    sources: Annotated[list[str], Field(min_length=2, max_length=3)]
    other_languages: dict[str, OtherVectors] = Field(default_factory=dict)


Settings = signature(suite.measure, base=signature(Embedding.of, base=Table))
