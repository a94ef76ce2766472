"""The section `extrofitting` of params.yaml."""

from typing import Annotated

from pydantic import AfterValidator, Field

from repline import parameters
from repline.parameters import Count, Name, Section, Seeds, Values
from repline.reading.settings import Reading
from repline.vectors.recipes import Retrofitting

START = "start"  # a folder in data/models/extrofitting, next to one for each lexicon


class Lexicon(Reading):
    """A lexicon, how its file is read, and which of its relations make two words neighbours.

    Attributes:
        place: in data/: a graph of words, neighbour lists, or a wordnet.
        relations: names or groups as in `repline.lexicons.word_graph`; None for all.
        any_case: words that the lexicon does not have are looked up in lower case.
    """

    place: str
    relations: list[str] | None = None
    any_case: bool = False


def _not_start(lexicon: str) -> str:
    if lexicon == START:
        raise ValueError(f"{START} is reserved for the initial vectors; choose another name")
    return lexicon


class Settings(Section):
    """The section `extrofitting` of params.yaml.

    Attributes:
        vectors: by name, word vectors in data/, of any format of `repline.vectors.formats.readers`.
        words: the first ones; None for all.
        lexicons: by name.
        plain_words: words with a digit or without a letter are in no lexicon.
        benchmarks: sources of tests, folders of data/raw.
        orders: seeds of the order in which the authors' program labels words; the first is that of the vectors.
        sample: random pairs of words outside the lexicon, whose cosines are compared.
    """

    vectors: Annotated[dict[Name, str], Field(min_length=1)]
    words: Annotated[int, Field(ge=2)] | None
    lexicons: Annotated[dict[Annotated[Name, AfterValidator(_not_start)], Lexicon], Field(min_length=1)]
    plain_words: bool
    benchmarks: Annotated[list[str], Field(min_length=1)]
    orders: Seeds
    retrofitting: Retrofitting
    sample: Count


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "extrofitting", values)
