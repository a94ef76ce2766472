"""The section `captions` of params.yaml."""

from repline import parameters
from repline.corpora.captions.recipes import CaptionCorpus
from repline.parameters import Section, Values


class Corpus(CaptionCorpus):
    """A corpus made of `source`, a folder of data/."""

    source: str


class Settings(Section):
    """The section `captions`: corpora are folders of data/corpora by their names."""

    corpora: dict[str, Corpus]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "captions", values)
