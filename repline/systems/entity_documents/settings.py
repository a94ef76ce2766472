"""The section `entity_documents` of params.yaml."""

from typing import Annotated, Any, Literal

from pydantic import Field

from repline import parameters
from repline.corpora.entities.name_rewriting import Mode
from repline.errors import InputError
from repline.parameters import Count, Positive, Section, Seeds
from repline.systems.entity_documents.documents import write_documents
from repline.systems.entity_documents.name_vectors import Glove
from repline.systems.entity_documents.training import Recipe

OWN = ("train", "all")  # texts that vectors are trained on here


class Variant(Section):
    """A network: a way of writing names, and the vectors it begins with.

    Attributes:
        vectors: random; train or all, GloVe on these documents in the same way of writing; or the public ones.
    """

    mode: Mode
    vectors: Literal["random", "train", "all", "public"]


class Linear(Section):
    """The knobs of `linear_scores`, and its ways of writing names."""

    modes: list[Mode]
    minimum_documents: Count
    inverse_regularisation: Positive


class Source(Section):
    """Where the documents of a corpus come from: folders of data/ with sentences, and with labels."""

    documents: str
    labels: str


class Settings(Section):
    """The whole section.

    Attributes:
        corpora: by name, the knobs of `write_documents` besides those of `Source`.
        public: a folder of data/vectors.
        shown: words whose neighbours the report shows.
    """

    corpora: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    vectors: Glove
    public: str
    network: Recipe
    seeds: Seeds
    variants: Annotated[dict[str, Variant], Field(min_length=1)]
    linear: Linear
    shown: list[str]


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section of params.yaml, its corpora checked; InputError on a mistake."""
    settings = parameters.load(Settings, "entity_documents", values)
    model = parameters.signature(write_documents, ("documents", "labels", "folder"), Source)
    parameters.variants(model, {}, settings.corpora, "entity_documents", "corpora")
    for name in settings.variants:
        if not name.isidentifier():
            raise InputError(f"params.yaml: entity_documents.variants: expected a name like split_name, found {name!r}")
    return settings


def corpus(settings: Settings, arguments: list[str]) -> str:
    """The one name of a corpus among the arguments of a command."""
    if len(arguments) != 1 or arguments[0] not in settings.corpora:
        raise InputError(f"expected the name of a corpus, one of: {', '.join(settings.corpora)}")
    return arguments[0]


def own_vectors(settings: Settings) -> list[tuple[Mode, str]]:
    """The ways of writing names, and the texts, that some variant needs vectors of."""
    return sorted({(one.mode, one.vectors) for one in settings.variants.values() if one.vectors in OWN})
