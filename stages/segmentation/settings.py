"""The section `segmentation` of params.yaml."""

from typing import Any

from pydantic import Field

from repline.parameters import Section

AT = "segmentation"


class Corpus(Section):
    """The fields of a corpus besides the parameters of the function that makes it."""

    source: str  # a text file in data/, or a folder with *.txt or *.txt.gz


class Settings(Section):
    """Corpora by their names, folders of data/corpora: raw lines to segment, and text that is segmented already."""

    corpora: dict[str, dict[str, Any]]
    segmented: dict[str, dict[str, Any]] = Field(default_factory=dict)
