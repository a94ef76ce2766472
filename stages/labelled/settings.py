"""The section `labelled` of params.yaml."""

from collections.abc import Mapping
from typing import Any

from repline import parameters
from repline.corpora.labelled.labelled_corpus import write_labelled
from repline.parameters import Section

AT = "labelled"


class Source(Section):
    """What each corpus has besides the parameters of `write_labelled`."""

    source: str  # a folder of data/


class Settings(Section):
    """The section `labelled`: corpora are folders of data/corpora by their names."""

    corpora: dict[str, dict[str, Any]]


def corpora(values: Mapping[str, Any] | None = None) -> dict[str, dict[str, Any]]:
    """The arguments of `write_labelled`, and `source`, of each corpus; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    model = parameters.signature(write_labelled, base=Source)
    return parameters.variants(model, {}, settings.corpora, AT, "corpora")
