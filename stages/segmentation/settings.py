"""The section `segmentation` of params.yaml."""

from typing import Any

from pydantic import Field

from repline.parameters import Count, Section

AT = "segmentation"


class Corpus(Section):
    """The fields of a corpus besides the parameters of the function that makes it."""

    source: str  # a text file in data/, or a folder with *.txt or *.txt.gz


class Quality(Section):
    """A segmenter, and the gold words that it is measured on."""

    gold: str  # a place in data/, see repline.corpora.gold_words
    language: str
    sentences: Count | None = None  # the first ones; null for all
    widths: bool = True
    conversion: str | None = None
    segmentation: dict[str, Any] = Field(default_factory=dict)


class Settings(Section):
    """Corpora by their names, folders of data/corpora, and segmenters that are measured."""

    corpora: dict[str, dict[str, Any]]  # raw lines to segment
    segmented: dict[str, dict[str, Any]] = Field(default_factory=dict)  # text that is segmented already
    quality: dict[str, Quality] = Field(default_factory=dict)
