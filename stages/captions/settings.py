"""The section `captions` of params.yaml."""

from collections.abc import Mapping
from typing import Any

from repline import parameters
from repline.corpora.captions.caption_corpus import write_captions
from repline.parameters import Section

AT = "captions"


class Source(Section):
    """What each corpus has besides the parameters of `write_captions`."""

    source: str  # a folder of data/


class Settings(Section):
    """The section `captions`: corpora are folders of data/corpora by their names."""

    corpora: dict[str, dict[str, Any]]


def corpora(values: Mapping[str, Any] | None = None) -> dict[str, dict[str, Any]]:
    """The arguments of `write_captions`, and `source`, of each corpus; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    model = parameters.signature(write_captions, base=Source)
    return parameters.variants(model, {}, settings.corpora, AT, "corpora")
