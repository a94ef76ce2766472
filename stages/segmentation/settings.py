"""The section `segmentation` of params.yaml."""

from pydantic import Field

from repline import parameters
from repline.corpora import recipes
from repline.parameters import Count, Section, Values


class RawText(recipes.RawText):
    """Raw lines to segment.

    Attributes:
        source: a text file in data/, or a folder with *.txt or *.txt.gz.
    """

    source: str


class SegmentedLines(recipes.SegmentedLines):
    """Lines that are segmented already.

    Attributes:
        source: a text file in data/, or a folder with *.txt or *.txt.gz.
    """

    source: str


class Quality(recipes.Segmentation):
    """A segmenter, and the gold words that it is measured on.

    Attributes:
        gold: a file or folder of data/, see `repline.corpora.gold_words`.
        sentences: the first ones; None for all.
    """

    gold: str
    sentences: Count | None = None


class Settings(Section):
    """Corpora by their names, folders of data/corpora, and segmenters that are measured."""

    corpora: dict[str, RawText]
    segmented: dict[str, SegmentedLines] = Field(default_factory=dict)
    quality: dict[str, Quality] = Field(default_factory=dict)


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "segmentation", values)
