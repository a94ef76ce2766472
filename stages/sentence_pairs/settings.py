"""The section `sentence_pairs` of params.yaml."""

from repline import parameters
from repline.corpora.sentence_pairs import recipes
from repline.parameters import Section, Values


class PairCorpus(recipes.PairCorpus):
    """A corpus of sentence pairs.

    Attributes:
        source: a folder of data/.
    """

    source: str


class Settings(Section):
    """The whole section: corpora by their names, folders of data/corpora."""

    corpora: dict[str, PairCorpus]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "sentence_pairs", values)
