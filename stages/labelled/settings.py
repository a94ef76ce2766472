"""The section `labelled` of params.yaml."""

from pydantic import Field

from repline import parameters
from repline.corpora.labelled import recipes
from repline.parameters import Section, Values


class LabelledCorpus(recipes.LabelledCorpus):
    """A corpus of documents with labels.

    Attributes:
        source: a folder of data/, or a file of it.
    """

    source: str


class SplitCorpus(recipes.SplitCorpus):
    """A corpus with one label a text, in three parts.

    Attributes:
        corpus: of documents with labels, a folder of data/.
    """

    corpus: str


class Settings(Section):
    """Corpora, and splits for classifiers, by their names: folders of data/corpora and data/corpora/classification."""

    corpora: dict[str, LabelledCorpus]
    splits: dict[str, SplitCorpus] = Field(default_factory=dict)


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "labelled", values)
