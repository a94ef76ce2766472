"""The section `parallel` of params.yaml."""

from pydantic import Field

from repline import parameters
from repline.corpora.parallel.recipes import BitextCorpus, MultiwayCorpus
from repline.parameters import Section, Values


class Bitext(BitextCorpus):
    """A bitext of `source`: a folder of data/ with translations, or one file."""

    source: str


class Multiway(MultiwayCorpus):
    """Texts of several languages of `source`, a folder of data/."""

    source: str


class Settings(Section):
    """The whole section: bitexts and corpora of several languages by their names, folders of data/corpora."""

    corpora: dict[str, Bitext] = Field(default_factory=dict)
    multiway: dict[str, Multiway] = Field(default_factory=dict)


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "parallel", values)
