"""The section `parallel` of params.yaml."""

from typing import Any

from pydantic import Field

from repline.parameters import Section

AT = "parallel"


class Corpus(Section):
    """The fields of a corpus besides the parameters of the function that builds it."""

    source: str  # a folder of data/ with translations, or one file


class Settings(Section):
    """The whole section: bitexts and corpora of several languages by their names, folders of data/corpora."""

    corpora: dict[str, dict[str, Any]] = Field(default_factory=dict)
    multiway: dict[str, dict[str, Any]] = Field(default_factory=dict)
