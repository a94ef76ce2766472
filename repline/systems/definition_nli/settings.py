"""The section `definition_nli` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.parameters import Section, Seeds
from repline.systems.definition_nli.corpus import write_data
from repline.systems.definition_nli.training import Recipe

AT = "definition_nli"


class Source(Section):
    """Folders of data/ that a corpus is made of.

    Attributes:
        pairs: a corpus of sentence pairs; dictionary: a wordnet, or your own table (.tsv); vectors: of words.
    """

    pairs: str
    dictionary: str
    vectors: str


class Settings(Section):
    """The whole section.

    Attributes:
        corpora: by name, `Source` and the knobs of `write_data`.
        training: what all variants share.
        variants: by name, what differs.
    """

    corpora: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    training: dict[str, Any]
    seeds: Seeds
    variants: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section of params.yaml, its corpora and variants checked; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    model = parameters.signature(write_data, ("pairs", "dictionary", "vectors", "folder"), Source)
    parameters.variants(model, {}, settings.corpora, AT, "corpora")
    recipes(settings)
    for name in (*settings.corpora, *settings.variants):
        if not name.isidentifier():
            raise InputError(f"params.yaml: {AT}: expected a name like without_attention, found {name!r}")
    return settings


def recipes(settings: Settings) -> dict[str, dict[str, Any]]:
    """The parameters of each variant's training."""
    return parameters.variants(Recipe, settings.training, settings.variants, AT)
