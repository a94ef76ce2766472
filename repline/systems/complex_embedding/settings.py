"""The section `complex_embedding` of params.yaml."""

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
from repline.systems.complex_embedding.model import BagOfStates, ComplexEmbedding, RealEmbedding
from repline.systems.complex_embedding.training import own_label_loss
from repline.training.optimizers.unit_row_adam import UnitRowAdam

Kind = Literal["complex", "real", "cnn", "gru", "han"]
KINDS: dict[str, type[DocumentNetwork]] = {"complex": ComplexEmbedding, "real": RealEmbedding, **PEERS}
BASELINE = "real"  # the network that others are tested against, pair by pair


class Network(Section):
    """What each network has besides the settings of its class.

    Attributes:
        kind: complex, real, or a peer: cnn, gru, han.
        start: vectors, the section's; or random.
        seeds: so many of the corpus's seeds, the first ones; None for all.
    """

    kind: Kind
    start: Literal["random", "vectors"] = "random"
    seeds: Count | None = None


class Corpus(Section):
    """A corpus to classify.

    Attributes:
        texts: in three parts, a folder of data/corpora/classification (`labelled.splits`).
        networks: names of those that are trained on it.
        edges: lengths in words where ranges begin, for accuracy by length.
        recipe: what differs from the shared recipe.
    """

    texts: str
    networks: Annotated[list[str], Field(min_length=1)]
    seeds: Seeds
    edges: list[Count]
    recipe: dict[str, Any] = Field(default_factory=dict)


class Settings(Section):
    """The whole section.

    Attributes:
        corpora, networks: by name.
        vectors: a folder of data/vectors, for networks that start from it.
    """

    corpora: Annotated[dict[str, Corpus], Field(min_length=1)]
    recipe: Recipe
    vectors: str
    networks: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    linear: dict[str, Any]

    def recipe_of(self, corpus: str) -> Recipe:
        """The recipe with which networks are trained on a corpus; InputError on a mistake."""
        own = self.corpora[corpus].recipe
        at = f"complex_embedding.corpora.{corpus}.recipe"
        return parameters.check(Recipe, parameters.arguments(self.recipe) | own, at)

    def seeds(self, name: str, corpus: str) -> list[int]:
        """The seeds that a network is trained with on a corpus."""
        return self.corpora[corpus].seeds[: self.networks[name].get("seeds")]

    def given(self, name: str) -> bool:
        """Whether a network starts from the section's vectors."""
        return self.networks[name].get("start") == "vectors"

    def network(self, name: str) -> tuple[type[DocumentNetwork], dict[str, Any]]:
        """The class of a network and its settings."""
        knobs = {key: value for key, value in self.networks[name].items() if key not in Network.model_fields}
        return KINDS[self.networks[name]["kind"]], knobs


def own_training(kind: type[DocumentNetwork]) -> dict[str, Callable[..., Any]]:
    """What `train_network` is given for networks of this system: their loss and optimiser; nothing for peers."""
    return {"loss": own_label_loss, "optimizer": UnitRowAdam} if issubclass(kind, BagOfStates) else {}


def read(values: Mapping[str, Any] | None = None) -> Settings:
    """The section of params.yaml, its networks and corpora checked; InputError on a mistake."""
    settings = parameters.load(Settings, "complex_embedding", values)
    parameters.bind(linear_probabilities, settings.linear, "complex_embedding.linear")
    for name, network in settings.networks.items():
        at = f"complex_embedding.networks.{name}"
        kind = network.get("kind")
        if kind not in KINDS:
            raise InputError(f"params.yaml: {at}.kind should be one of {', '.join(KINDS)}, found {kind!r}")
        parameters.check(parameters.signature(KINDS[kind].__init__, base=Network), network, at)
        if network.get("readout") == "vector" and network.get("sentence", "mixture") == "mixture":
            raise InputError(f"params.yaml: {at}: the readout vector is of a superposition, found a mixture")
    for name, corpus in settings.corpora.items():
        settings.recipe_of(name)
        at = f"complex_embedding.corpora.{name}"
        if unknown := [one for one in corpus.networks if one not in settings.networks]:
            raise InputError(
                f"params.yaml: {at}.networks: there is no network {unknown[0]!r}"
                f"{parameters.nearest(unknown[0], settings.networks)}"
            )
        if corpus.edges != sorted(set(corpus.edges)):
            raise InputError(f"params.yaml: {at}.edges should rise, found {corpus.edges}")
    return settings
