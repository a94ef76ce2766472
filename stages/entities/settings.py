"""The section `entities` of params.yaml."""

from typing import Annotated

from pydantic import Field

from repline import parameters
from repline.corpora.entities import recipes
from repline.parameters import Section, Values
from repline.reading.settings import Reading
from stages.folders import DATA

GAZETTEER = DATA / "lexicons" / "entity_gazetteer"


class Gazetteer(Reading):
    """What the gazetteer is made of, and how the file of your own names is read.

    Attributes:
        geonames, wordnet: folders of data/.
        own: a file of your own names, from the root of the checkout.
        smallest_city: in inhabitants.
    """

    geonames: str
    wordnet: str
    own: str
    smallest_city: Annotated[int, Field(ge=0)]


class EntityCorpus(recipes.EntityCorpus):
    """A corpus with named entities.

    Attributes:
        source: a folder of data/, or a text file in it.
    """

    source: str


class RewrittenCorpus(recipes.RewrittenCorpus):
    """A corpus whose names are rewritten.

    Attributes:
        source: a folder of data/ with named entities.
    """

    source: str


class Gold(Reading):
    """A folder of data/ with gold entities, and how they are read."""

    source: str


class Settings(Section):
    """The section `entities` of params.yaml.

    Corpora are folders of data/corpora by their names, gold standards metrics by theirs.
    """

    gazetteer: Gazetteer
    corpora: dict[str, EntityCorpus]
    rewritten: dict[str, RewrittenCorpus]
    gold: dict[str, Gold]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "entities", values)
