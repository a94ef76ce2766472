"""The section `word_vector_suite` of params.yaml."""

from typing import Annotated

from pydantic import Field

from repline import parameters
from repline.evaluation.word_vectors.recipes import Measuring
from repline.parameters import Section, Values


class Vectors(Section):
    """A folder of data/vectors; only words that the folder `like` has count, or all if it names the folder itself."""

    folder: str
    like: str


class OtherVectors(Vectors):
    """Vectors of another language than English, and the one or two folders of data/raw with tests in it."""

    sources: Annotated[list[str], Field(min_length=1, max_length=2)]


class Settings(Measuring):
    """The whole section: the vectors that are judged, and the folders of data/raw that have the tests.

    Attributes:
        vectors: by name.
        sources: of the tests.
        other_languages: vectors by name, with sources of their own.
        ignore_case: whether words that differ in case only are one word.
    """

    vectors: Annotated[dict[str, Vectors], Field(min_length=1)]
    sources: Annotated[list[str], Field(min_length=2, max_length=3)]
    other_languages: dict[str, OtherVectors] = Field(default_factory=dict)
    ignore_case: bool = True

    @property
    def all_vectors(self) -> dict[str, Vectors]:
        """Vectors of all languages, by name."""
        return {**self.vectors, **self.other_languages}


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "word_vector_suite", values)
