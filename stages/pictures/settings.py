"""The section `pictures` of params.yaml."""

from collections.abc import Mapping
from typing import Any

from repline import parameters
from repline.corpora.pictures.made_sets import draw_sets
from repline.corpora.pictures.picture_features import write_features
from repline.parameters import Section

AT = "pictures"


class Source(Section):
    """What the features have besides the parameters of `write_features`."""

    source: str  # a folder of data/


class NetworkSource(Source):
    """The same of those by a network."""

    weights: str  # a folder of data/models/pictures


class Settings(Section):
    """The section: all by the names of folders, in data/corpora, of weights in data/models/pictures."""

    made: dict[str, dict[str, Any]]
    weights: dict[str, str]
    hand: dict[str, dict[str, Any]]
    network: dict[str, dict[str, Any]]


def read(values: Mapping[str, Any] | None = None) -> Settings:
    """The section, checked as a whole; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    parameters.variants(parameters.signature(draw_sets), {}, settings.made, AT, "made")
    for key, base in (("hand", Source), ("network", NetworkSource)):
        model = parameters.signature(write_features, ("progress",), base)
        parameters.variants(model, {}, getattr(settings, key), AT, key)
    return settings
