"""The section `labelled` of params.yaml."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from repline import parameters
from repline.corpora.labelled.labelled_corpus import write_labelled
from repline.corpora.labelled.split_corpus import write_split
from repline.parameters import Section

AT = "labelled"


class Source(Section):
    """What each corpus has besides the parameters of `write_labelled`."""

    source: str  # a folder of data/, or a file of it


class Corpus(Section):
    """What each split has besides the parameters of `write_split`."""

    corpus: str  # a folder of data/


class Settings(Section):
    """The section `labelled`: corpora, and splits for classifiers, by name."""

    corpora: dict[str, dict[str, Any]]
    splits: dict[str, dict[str, Any]] = Field(default_factory=dict)


def corpora(values: Mapping[str, Any] | None = None) -> dict[str, dict[str, Any]]:
    """The arguments of `write_labelled`, and `source`, of each corpus; InputError on a mistake."""
    model = parameters.signature(write_labelled, base=Source)
    return parameters.variants(model, {}, _settings(values).corpora, AT, "corpora")


def splits(values: Mapping[str, Any] | None = None) -> dict[str, dict[str, Any]]:
    """The arguments of `write_split`, and `corpus`, of each split; InputError on a mistake."""
    model = parameters.signature(write_split, base=Corpus)
    return parameters.variants(model, {}, _settings(values).splits, AT, "splits")


def _settings(values: Mapping[str, Any] | None) -> Settings:
    return parameters.load(Settings, AT, values)
