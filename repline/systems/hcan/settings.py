"""The section `hcan` of params.yaml."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.evaluation.classification.linear_peers import linear_probabilities
from repline.evaluation.classification.peer_networks import PEERS
from repline.evaluation.classification.training import Recipe
from repline.layers.document_network import DocumentNetwork
from repline.parameters import Count, NotNegative, Section, Seeds
from repline.systems.hcan.model import HCAN

OURS = "hcan"  # the kind of network that is no peer
KINDS: dict[str, type[DocumentNetwork]] = {OURS: HCAN, **PEERS}


class Sized(Recipe):
    """The recipe of all networks, and the size d and the heads h of those of the kind hcan."""

    size: Count
    heads: Count


class Network(Section):
    """What each network has besides the settings of its class.

    Attributes:
        kind: hcan, or a peer: cnn, gru, han.
        random: whether its word vectors begin at random even where the corpus has vectors.
        seeds: so many of the corpus's seeds, the first ones; None for all.
    """

    kind: Literal["hcan", "cnn", "gru", "han"]
    random: bool = False
    seeds: Count | None = None


class Corpus(Section):
    """A corpus to classify.

    Attributes:
        texts: in three parts, a folder of data/corpora/classification (`labelled.splits`).
        vectors: train, word vectors trained on its train part; or random.
        networks: names of those that are trained on it.
        edges: lengths in words where ranges begin, for accuracy by length.
        recipe: what differs from the shared recipe.
    """

    texts: str
    vectors: Literal["train", "random"]
    networks: Annotated[list[str], Field(min_length=1)]
    seeds: Seeds
    edges: list[Count]
    recipe: dict[str, Any] = Field(default_factory=dict)


class Vectors(Section):
    """The knobs of `repline.vectors.training.word2vec`."""

    architecture: Literal["skip-gram", "cbow"]
    window: Count
    negative: Count
    sample: NotNegative
    epochs: Count
    seed: int


class Settings(Section):
    """The whole section.

    Attributes:
        corpora, networks: by name.
        learned: accuracy on dev whose first epoch is counted.
        shown: test documents of each corpus on the page of attention.
    """

    corpora: Annotated[dict[str, Corpus], Field(min_length=1)]
    recipe: Sized
    vectors: Vectors
    networks: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    linear: dict[str, Any]
    learned: Annotated[float, Field(gt=0, le=1)]
    shown: Count

    def recipe_of(self, corpus: str) -> Sized:
        """The recipe with which networks are trained on a corpus; InputError on a mistake."""
        own = self.corpora[corpus].recipe
        return parameters.check(Sized, parameters.arguments(self.recipe) | own, f"hcan.corpora.{corpus}.recipe")

    def seeds(self, name: str, corpus: str) -> list[int]:
        """The seeds that a network is trained with on a corpus."""
        return self.corpora[corpus].seeds[: self.networks[name].get("seeds")]

    def network(self, name: str, corpus: str) -> tuple[Callable[..., DocumentNetwork], dict[str, Any], bool]:
        """The class of a network, its settings on a corpus, and whether its vectors are to begin at random."""
        knobs = {key: value for key, value in self.networks[name].items() if key != "seeds"}
        kind, random = knobs.pop("kind"), knobs.pop("random", False)
        if kind == OURS:
            recipe = self.recipe_of(corpus)
            knobs |= {"size": recipe.size, "heads": recipe.heads}
        return KINDS[kind], knobs, random


def read(values: Mapping[str, Any] | None = None) -> Settings:
    """The section of params.yaml, its networks and corpora checked; InputError on a mistake."""
    settings = parameters.load(Settings, "hcan", values)
    parameters.bind(linear_probabilities, settings.linear, "hcan.linear")
    for name, network in settings.networks.items():
        at = f"hcan.networks.{name}"
        kind = network.get("kind")
        if kind not in KINDS:
            raise InputError(f"params.yaml: {at}.kind should be one of {', '.join(KINDS)}, found {kind!r}")
        parameters.check(parameters.signature(KINDS[kind].__init__, ("size", "heads"), Network), network, at)
    for name, corpus in settings.corpora.items():
        settings.recipe_of(name)
        if unknown := [one for one in corpus.networks if one not in settings.networks]:
            raise InputError(
                f"params.yaml: hcan.corpora.{name}.networks: there is no network {unknown[0]!r}"
                f"{parameters.nearest(unknown[0], settings.networks)}"
            )
        if corpus.edges != sorted(set(corpus.edges)):
            raise InputError(f"params.yaml: hcan.corpora.{name}.edges should rise, found {corpus.edges}")
    return settings
