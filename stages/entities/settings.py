"""The section `entities` of params.yaml."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.corpora.entities.entity_corpus import write_entities
from repline.corpora.entities.name_rewriting import write_rewritten
from repline.parameters import Section

GAZETTEER = "data/lexicons/entity_gazetteer"
AT = "entities"


class Source(Section):
    """What each corpus has besides the parameters of the function that writes it."""

    source: str  # a folder of data/, or a text file in it


class Gazetteer(Section):
    """What the gazetteer is made of: folders of data/ with GeoNames and a wordnet, and a file of own names."""

    geonames: str
    wordnet: str
    own: str  # from the root of the checkout
    smallest_city: Annotated[int, Field(ge=0)]


class Gold(Section):
    """A folder of data/ with gold entities."""

    source: str


class Settings(Section):
    """The section `entities`. Corpora are folders of data/corpora by their names, gold standards metrics by theirs."""

    gazetteer: Gazetteer
    corpora: dict[str, dict[str, Any]]
    rewritten: dict[str, dict[str, Any]]
    gold: dict[str, Gold]


GIVEN = ("gazetteers", "processes", "executor", "progress")


def load(values: Mapping[str, Any] | None = None) -> Settings:
    """The section; InputError on a mistake in it."""
    return parameters.load(Settings, AT, values)


def corpora(settings: Settings) -> dict[str, dict[str, Any]]:
    """The arguments of `write_entities`, and `source`, of each corpus; InputError on a mistake."""
    model = parameters.signature(write_entities, given=GIVEN, base=Source)
    return parameters.variants(model, {}, settings.corpora, AT, "corpora")


def rewritten(settings: Settings) -> dict[str, dict[str, Any]]:
    """The arguments of `write_rewritten`, and `source`, of each corpus; InputError on a mistake."""
    model = parameters.signature(write_rewritten, base=Source)
    return parameters.variants(model, {}, settings.rewritten, AT, "rewritten")
