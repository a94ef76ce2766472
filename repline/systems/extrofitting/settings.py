"""The section `extrofitting` of params.yaml."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from repline import parameters
from repline.parameters import Section
from repline.vectors.retrofitting import retrofit


class Lexicon(Section):
    """A lexicon in data/, and which of its relations make two words neighbours; None for all."""

    place: str
    relations: list[str] | None = None


def _words(named: dict[str, Any]) -> dict[str, Any]:
    for name in named:
        if not name.isidentifier() or name == "start":
            raise ValueError(f"a name should be a word like wordnet_all, and not start, found {name!r}")
    return named


class Settings(Section):
    """The whole section."""

    vectors: Annotated[dict[str, str], Field(min_length=1), AfterValidator(_words)]
    words: Annotated[int, Field(ge=2)] | None
    lexicons: Annotated[dict[str, Lexicon], Field(min_length=1), AfterValidator(_words)]
    plain_words: bool
    benchmarks: Annotated[list[str], Field(min_length=1)]
    orders: Annotated[list[int], Field(min_length=1)]
    retrofitting: parameters.signature(retrofit)
    sample: Annotated[int, Field(ge=1)]
