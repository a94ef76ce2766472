"""The section `pictures` of params.yaml."""

from repline import parameters
from repline.corpora.pictures import recipes
from repline.corpora.pictures.recipes import DrawnSets
from repline.parameters import Section, Values


class HandFeatures(recipes.Features):
    """Features that need no network.

    Attributes:
        source: a folder of data/ with pictures.
    """

    source: str


class NetworkFeatures(HandFeatures):
    """Features by a network.

    Attributes:
        weights: a folder of data/models/pictures.
    """

    weights: str


class Settings(Section):
    """The section `pictures` of params.yaml.

    Attributes:
        made: pictures that are drawn, by the names of folders in data/corpora.
        weights: folders of data/ with a checkpoint, by the names of folders in data/models/pictures.
        hand, network: features, by the names of folders in data/corpora.
    """

    made: dict[str, DrawnSets]
    weights: dict[str, str]
    hand: dict[str, HandFeatures]
    network: dict[str, NetworkFeatures]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "pictures", values)
