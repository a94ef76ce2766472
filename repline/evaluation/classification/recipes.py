"""Sections of params.yaml that compare classifiers: recipes, networks, linear peers, trainings.

They import no network and no training, so that a stage which only reads settings knows neither.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from repline.parameters import Count, Json, Name, Positive, Section, Seeds, Share, Values, nearest
from repline.training import recipes

Linear = Literal["naive_bayes", "lr_l1", "lr_l2", "svm"]
LINEAR: tuple[Linear, ...] = get_args(Linear)


class Recipe(recipes.Recipe):
    """How `repline.evaluation.classification.training.train_network` trains a network.

    Attributes:
        dimensions: of word vectors that begin at random; else those of the vectors.
        sentences, length: sentences of a document and words of a sentence that are read.
        minimum_count: words that occur at least this many times in training have their own vector.
        unknown: share of the words with one occurrence in training that are unknown words nevertheless, drawn by the
            seed, so that the vector of unknown words is trained where minimum_count is 1.
        beta2: of Adam.
        enough: training ends after the first epoch with this accuracy on dev; None for all epochs.
    """

    dimensions: Count
    sentences: Count
    length: Count
    minimum_count: Count
    unknown: Share = 0.0
    beta2: Annotated[float, Field(gt=0, lt=1)] = 0.999
    enough: Positive | None = None


class LinearPeers(Section):
    """Linear classifiers on TF-IDF of n-grams, see `repline.evaluation.classification.linear_peers`.

    Attributes:
        peers: naive_bayes; lr_l1 and lr_l2, logistic regression with a sum of absolute values or of squares; svm, a
            linear support vector machine.
        minimum_documents: n-grams in at least this many training documents count.
        longest_ngram: words of an n-gram, at most.
        l1: C, the inverse of the regularisation's weight.
        l2, svm: values of C; the one with the highest accuracy on dev is taken, the smallest of equal ones.
    """

    peers: list[Linear] = Field(default=list(LINEAR))
    minimum_documents: Count = 5
    longest_ngram: Count = 2
    l1: Positive = 1.0
    l2: list[Positive] = Field(default=[1.0, 10.0, 100.0], min_length=1)
    svm: list[Positive] = Field(default=[0.1, 1.0, 10.0], min_length=1)


class Network(Section):
    """Settings that every network has in addition to the arguments of its class.

    Attributes:
        start: how word vectors begin: random; or vectors, those that its corpus has, if any.
        seeds: this many of the corpus's seeds, the first ones; None for all.
    """

    start: Literal["random", "vectors"] = "random"
    seeds: Count | None = None

    def arguments(self) -> dict[str, Json]:
        """The arguments of the network's class that params.yaml sets."""
        return self.model_dump(exclude_unset=True, exclude={"kind", "start", "seeds"})


class TextCNN(Network):
    """Arguments of `repline.evaluation.classification.peer_networks.TextCNN`."""

    kind: Literal["cnn"]
    widths: list[Count] = Field(default=[3, 4, 5])
    filters: Count = 100
    dropout: Share = 0.5
    spread: Positive = 0.3


class RecurrentClassifier(Network):
    """Arguments of `repline.evaluation.classification.peer_networks.RecurrentClassifier`."""

    kind: Literal["gru"]
    units: Count = 50
    dropout: Share = 0.2
    spread: Positive = 0.3


class HAN(Network):
    """Arguments of `repline.evaluation.classification.peer_networks.HAN`."""

    kind: Literal["han"]
    units: Count = 50
    hidden: Count = 200
    dropout: Share = 0.1
    spread: Positive = 0.3


def _rising(edges: list[int]) -> list[int]:
    if edges != sorted(set(edges)):
        raise ValueError(f"lengths should rise, found {edges}")
    return edges


class Corpus(Section):
    """Texts to classify; systems add their `recipe`: what differs on this corpus from the shared one.

    Attributes:
        texts: in three parts, a folder of data/corpora/classification (`labelled.splits`).
        seeds: of the trainings of every network.
        edges: lengths in words where ranges begin, for accuracy by length.
    """

    texts: str
    seeds: Seeds
    edges: Annotated[list[Count], AfterValidator(_rising)]


class Training(Section):
    """A network that is trained on a corpus, by their names; `texts` are those of the corpus, for the stage."""

    corpus: str
    texts: str
    network: str


AnyRecipe = TypeVar("AnyRecipe", bound=Recipe)
AnyCorpus = TypeVar("AnyCorpus", bound=Corpus)
AnyNetwork = TypeVar("AnyNetwork", bound=Network)


class Comparison(Section, Generic[AnyRecipe, AnyCorpus, AnyNetwork]):
    """The section of a system that compares networks and linear peers on several corpora.

    Attributes:
        recipe: of all corpora; it lies under the recipe of each.
        corpora, networks: by name.
        trainings: which network is trained on which corpus, by name.
        linear: the peers on every corpus.
    """

    recipe: AnyRecipe
    corpora: Annotated[dict[Name, AnyCorpus], Field(min_length=1)]
    networks: Annotated[dict[Name, AnyNetwork], Field(min_length=1)]
    trainings: Annotated[dict[Name, Training], Field(min_length=1)]
    linear: LinearPeers

    @model_validator(mode="before")
    @classmethod
    def _lay_recipe_under_corpora(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        shared, corpora = values.get("recipe"), values.get("corpora")
        if not isinstance(shared, Mapping) or not isinstance(corpora, Mapping):
            return values
        return {**values, "corpora": {name: _with_recipe(corpus, shared) for name, corpus in corpora.items()}}

    @field_validator("trainings")
    @classmethod
    def _name_what_there_is(cls, trainings: dict[str, Training], information: ValidationInfo) -> dict[str, Training]:
        corpora, networks = information.data.get("corpora"), information.data.get("networks")
        if corpora is None or networks is None:  # these have mistakes themselves
            return trainings
        for name, training in trainings.items():
            for what, value, names in (("corpus", training.corpus, corpora), ("network", training.network, networks)):
                if value not in names:
                    raise ValueError(f"{name}: there is no {what} {value!r}{nearest(value, names)}")
            if training.texts != (texts := corpora[training.corpus].texts):
                raise ValueError(f"{name}: the texts of {training.corpus} are {texts}, found {training.texts}")
        pairs = [(training.corpus, training.network) for training in trainings.values()]
        if twice := [f"{network} on {corpus}" for corpus, network in pairs if pairs.count((corpus, network)) > 1]:
            raise ValueError(f"{twice[0]} is there twice")
        if without := sorted(corpora.keys() - {corpus for corpus, _ in pairs}):
            raise ValueError(f"no network is trained on the corpus {without[0]}")
        return trainings

    def networks_on(self, corpus: str) -> dict[str, AnyNetwork]:
        """The networks that are trained on a corpus, by name."""
        names = [training.network for training in self.trainings.values() if training.corpus == corpus]
        return {name: self.networks[name] for name in names}

    def seeds(self, training: Training) -> list[int]:
        """The seeds that a network is trained with on a corpus."""
        return self.corpora[training.corpus].seeds[: self.networks[training.network].seeds]


def _with_recipe(corpus: Any, shared: Values) -> Any:
    """A corpus whose recipe is laid over the shared one; what is no mapping stays for the check of its type."""
    if not isinstance(corpus, Mapping) or not isinstance(corpus.get("recipe"), Mapping):
        return corpus
    return {**corpus, "recipe": {**shared, **corpus["recipe"]}}
