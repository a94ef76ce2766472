"""The section `language_modeling` of params.yaml."""

from typing import Annotated

from pydantic import Field

from repline import parameters
from repline.corpora.language_modeling.recipes import StreamCorpus
from repline.parameters import Name, Overlays, Section, Values


class Corpus(StreamCorpus):
    """Streams of the words of `source`, a folder of data/."""

    source: str


class Settings(Section):
    """The whole section: corpora by their names, folders of data/corpora; all other keys are what they share."""

    corpora: Annotated[dict[Name, Corpus], Overlays(), Field(min_length=1)]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "language_modeling", values)
