"""The section `lmtgru` of params.yaml."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.evaluation.classification.linear_peers import linear_probabilities
from repline.evaluation.classification.peer_networks import PEERS
from repline.evaluation.classification.training import Recipe
from repline.layers.document_network import DocumentNetwork
from repline.parameters import Count, Section, Seeds
from repline.systems.lmtgru.model import CNNLMTGRU

OURS = "lmtgru"  # the kind of network that is no peer
KINDS: dict[str, type[DocumentNetwork]] = {OURS: CNNLMTGRU, **PEERS}


class Sized(Recipe):
    """The recipe of all networks, and the sizes of those of the kind lmtgru that do not set them themselves.

    `beta2` is the decay of the squares in RMSprop.
    """

    units: Count
    filters: Count


class Network(Section):
    """What each network has besides the settings of its class.

    Attributes:
        kind: lmtgru, or a peer: cnn, gru, han.
        seeds: so many of the corpus's seeds, the first ones; None for all.
    """

    kind: Literal["lmtgru", "cnn", "gru", "han"]
    seeds: Count | None = None


class Corpus(Section):
    """A corpus to classify.

    Attributes:
        texts: in three parts, a folder of data/corpora/classification (`labelled.splits`).
        networks: names of those that are trained on it.
        folds: of cross-validation over all its texts; None takes its parts as they are.
        edges: lengths in words where ranges begin, for accuracy by length.
        recipe: what differs from the shared recipe.
    """

    texts: str
    networks: Annotated[list[str], Field(min_length=1)]
    seeds: Seeds
    edges: list[Count]
    folds: Annotated[int, Field(ge=2)] | None = None
    recipe: dict[str, Any] = Field(default_factory=dict)


class Settings(Section):
    """The whole section; corpora and networks by name."""

    corpora: Annotated[dict[str, Corpus], Field(min_length=1)]
    recipe: Sized
    networks: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    linear: dict[str, Any]

    def recipe_of(self, corpus: str) -> Sized:
        """The recipe with which networks are trained on a corpus; InputError on a mistake."""
        own = self.corpora[corpus].recipe
        return parameters.check(Sized, parameters.arguments(self.recipe) | own, f"lmtgru.corpora.{corpus}.recipe")

    def seeds(self, network: str, corpus: str) -> list[int]:
        """The seeds that a network is trained with on a corpus."""
        return self.corpora[corpus].seeds[: self.networks[network].get("seeds")]

    def folds(self, corpus: str) -> list[int | None]:
        """The folds of a corpus; [None] where its own parts are taken."""
        number = self.corpora[corpus].folds
        return [None] if number is None else list(range(number))

    def network(self, name: str, corpus: str) -> tuple[Callable[..., DocumentNetwork], dict[str, Any]]:
        """The class of a network and its settings on a corpus."""
        knobs = {key: value for key, value in self.networks[name].items() if key not in ("kind", "seeds")}
        kind = self.networks[name]["kind"]
        if kind == OURS:
            recipe = self.recipe_of(corpus)
            knobs = {"units": recipe.units, "filters": recipe.filters} | knobs
        return KINDS[kind], knobs


def read(values: Mapping[str, Any] | None = None) -> Settings:
    """The section of params.yaml, its networks and corpora checked; InputError on a mistake."""
    settings = parameters.load(Settings, "lmtgru", values)
    parameters.bind(linear_probabilities, settings.linear, "lmtgru.linear")
    for name, network in settings.networks.items():
        at = f"lmtgru.networks.{name}"
        kind = network.get("kind")
        if kind not in KINDS:
            raise InputError(f"params.yaml: {at}.kind should be one of {', '.join(KINDS)}, found {kind!r}")
        parameters.check(parameters.signature(KINDS[kind].__init__, (), Network), network, at)
    for name, corpus in settings.corpora.items():
        settings.recipe_of(name)
        if unknown := [one for one in corpus.networks if one not in settings.networks]:
            raise InputError(
                f"params.yaml: lmtgru.corpora.{name}.networks: there is no network {unknown[0]!r}"
                f"{parameters.nearest(unknown[0], settings.networks)}"
            )
        if corpus.edges != sorted(set(corpus.edges)):
            raise InputError(f"params.yaml: lmtgru.corpora.{name}.edges should rise, found {corpus.edges}")
    return settings
