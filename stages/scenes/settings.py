"""The section `scenes` of params.yaml."""

from collections.abc import Mapping
from typing import Any

from repline import parameters
from repline.corpora.scenes.scene_corpus import write_scene_corpus
from repline.corpora.scenes.stated_triplets import write_stated
from repline.parameters import Section

AT = "scenes"


class Source(Section):
    """What each corpus has besides the parameters of the function that writes it."""

    source: str  # a folder of data/


class Settings(Section):
    """The section `scenes`: corpora and stated are folders of data/corpora by their names."""

    corpora: dict[str, dict[str, Any]]
    stated: dict[str, dict[str, Any]]


def corpora(values: Mapping[str, Any] | None = None) -> dict[str, dict[str, Any]]:
    """The arguments of `write_scene_corpus`, and `source`, of each corpus; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    model = parameters.signature(write_scene_corpus, base=Source)
    return parameters.variants(model, {}, settings.corpora, AT, "corpora")


def stated(values: Mapping[str, Any] | None = None) -> dict[str, dict[str, Any]]:
    """`source` of each corpus whose triplets are extracted; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    model = parameters.signature(write_stated, given=("progress",), base=Source)
    return parameters.variants(model, {}, settings.stated, AT, "stated")
