"""The section `conversations` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.corpora.dialogue.conversation_corpus import write_conversations
from repline.corpora.dialogue.turn_filter import TurnFilter
from repline.errors import InputError
from repline.parameters import Section, Seeds
from repline.systems.conversations.pair_tests import Kind
from repline.systems.conversations.training import Recipe
from repline.systems.conversations.tuning import Tuning

AT = "conversations"


class Source(Section):
    """What each source has besides the parameters of `write_conversations`."""

    source: str  # a folder of data/


class Test(Section):
    """Pairs that encoders are judged on.

    Attributes:
        pairs: a corpus of sentence pairs, a folder of data/.
        kind: similarity, pairs with scores; or questions, older ones beside a new one.
    """

    pairs: str
    kind: Kind


class Settings(Section):
    """The whole section.

    Attributes:
        sources: of conversations, by name.
        reading: what all sources share of the parameters of `write_conversations`; filter: of `TurnFilter`.
        inference: a corpus of sentence pairs with labels; vectors: of words. Folders of data/.
        candidates: replies that a message has to choose from in the evaluation; shuffle: the seed of its blocks.
        tests: by name.
        tuning: of the matrix for similarity.
        training: what all variants share; variants: by name, what differs.
    """

    sources: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    reading: dict[str, Any]
    filter: TurnFilter
    inference: str
    vectors: str
    candidates: Annotated[int, Field(ge=2)]
    shuffle: int = Field(ge=0)
    tests: dict[str, Test]
    tuning: Tuning
    seeds: Seeds
    training: dict[str, Any]
    variants: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section of params.yaml, its sources and variants checked; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    sources(settings)
    recipes(settings)
    for name in (*settings.sources, *settings.variants, *settings.tests):
        if not name.isidentifier():
            raise InputError(f"params.yaml: {AT}: expected a name like with_vectors, found {name!r}")
    if taken := {*settings.variants} & {"chance", "tfidf", "average", "counts"}:
        raise InputError(f"params.yaml: {AT}.variants: {min(taken)} is a name of the evaluation; take another one")
    if "all" in settings.sources:
        raise InputError(f"params.yaml: {AT}.sources: all is a name of the evaluation; take another one")
    return settings


def sources(settings: Settings) -> dict[str, dict[str, Any]]:
    """The arguments of `write_conversations`, and `source`, of each source."""
    model = parameters.signature(write_conversations, base=Source)
    shared = settings.reading | settings.filter.model_dump()
    return parameters.variants(model, shared, settings.sources, AT, "sources")


def recipes(settings: Settings) -> dict[str, dict[str, Any]]:
    """The parameters of each variant's training."""
    return parameters.variants(Recipe, settings.training, settings.variants, AT)
