"""The section `chunks` of params.yaml."""

from typing import Annotated, Literal, get_args

from pydantic import Field

from repline import parameters
from repline.corpora.chunks.recipes import TaggerRecipe
from repline.parameters import Count, Section, Values

Form = Literal["tags", "words", "running"]  # what a tagger reads
FORMS: tuple[Form, ...] = get_args(Form)


class Parsed(Section):
    """A corpus whose chunks are made by rules, from its parse."""

    source: str  # a folder of data/


class Tagged(Section):
    """A corpus whose chunks are made by a trained tagger."""

    source: str  # a folder of data/
    tagger: Form
    parse: bool = False  # by spaCy too


class Tagger(TaggerRecipe):
    """What the taggers learn from, and how."""

    source: str  # a folder of data/ with chunks
    sentences: Count | None
    test_share: Annotated[float, Field(gt=0, lt=1)]
    vocabulary: str  # a folder of data/


class Settings(Section):
    """The section `chunks`: corpora by their names, folders of data/corpora, and the taggers."""

    parsed: dict[str, Parsed]
    tagged: dict[str, Tagged]
    tagger: Tagger


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "chunks", values)
