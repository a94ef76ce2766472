"""The section `multilingual_seq2seq` of params.yaml."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from repline import parameters
from repline.errors import InputError, shown
from repline.parameters import Count, Json, Name, NotNegative, Positive, Section, Seeds, Share, Values, nearest
from repline.training import recipes

SECTION = "multilingual_seq2seq"
PARTS = ("train", "dev", "test")
Kind = Literal["lstm", "bag"]
Pooling = Literal["mean", "max", "attention"]
Cut = Literal["texts", "punctuation", "windows"]
Gather = Literal["mean", "max"]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]  # of languages

WAYS: dict[str, tuple[Cut, Gather]] = {  # how a document becomes a vector: its pieces, and how their vectors are pooled
    "texts_mean": ("texts", "mean"),
    "punctuation_mean": ("punctuation", "mean"),
    "punctuation_max": ("punctuation", "max"),
    "windows_mean": ("windows", "mean"),
    "windows_max": ("windows", "max"),
}
USUAL = ("texts_mean",)


class Numbering(Section):
    """How a corpus is split, and its words numbered.

    Attributes:
        languages: two or more; the first is the one that classifiers are tuned on where all but one are learned.
        parts: the origins of train, dev and test; None: a random split of the documents.
        dev, test: shares of the documents, without `parts`.
        block: this many documents after one another come into the same part, without `parts`.
        documents: this many are drawn at random, the others left out, without `parts`; None for all.
        number: training texts that models learn from, drawn at random; None for all.
        minimum_count: occurrences in the learned texts that a word needs to be in the shared vocabulary.
        vocabulary: the most words of that vocabulary.
        longest: tokens of a text at most; a longer text is not learned from, and is cut in a test.
        retrieval: texts of dev and of test that are looked for, drawn at random; the others stay parts of documents.
        seed: of all that is random.
    """

    languages: Annotated[list[str], Field(min_length=2)]
    parts: dict[str, list[str]] | None = None
    dev: Share = 0.1
    test: Share = 0.3
    block: Count = 1
    documents: Count | None = None
    number: Count | None = None
    minimum_count: Count = 1
    vocabulary: Count = 85_000
    longest: Count = 50
    retrieval: Count = 1000
    seed: int = 0


class Texts(Numbering):
    """The texts and languages that a corpus is made of.

    Attributes:
        texts: a folder of data/ (`repline.corpora.parallel.multiway`).
    """

    texts: str


class Corpus(Section):
    """A corpus, and how models learn from it.

    Attributes:
        data: the texts that it is made of.
        pairs: of languages that are translated into each other.
        all_ways: the variants that are measured in every way to make a vector of a document.
        classified: whether labelled documents are classified.
        seeds: one run each.
        untrained: this many networks are measured before any training, too.
        recipe: what differs from the shared one.
    """

    data: Texts
    pairs: Annotated[list[Pair], Field(min_length=1)]
    all_ways: list[str] = Field(default_factory=list)
    classified: bool = True
    seeds: Seeds
    untrained: Count = 1
    recipe: Values

    def ways(self, encoder: str) -> list[str]:
        """Ways to make a vector of a document that are measured of a variant or a control; none without classes."""
        if not self.classified:
            return []
        return list(WAYS) if encoder in self.all_ways else list(USUAL)


class Test(Section):
    """A test on texts of another corpus than the models were trained on.

    Attributes:
        corpus: whose models are tested.
        texts: a folder of data/ (`repline.corpora.parallel.multiway`).
    """

    corpus: str
    texts: str


class Recipe(recipes.Recipe):
    """A model and its training.

    Attributes:
        similarity: α, the weight of the distance between a sentence and its translation; in parts of
            L_NMT / L_sim, means over the first 100 steps without it, where `weighed` is comparable.
        weight_decay: β, the weight of ‖θ_enc‖².
        weight_decays: values of β in place of it; the one with the best retrieval on dev is kept.
        kind, dimensions, units, layers, pooling, dropout, own_words, deviation: of
            `repline.systems.multilingual_seq2seq.model.MultilingualEncoderDecoder`.
        halve_after: the learning rate is halved after this many epochs without better retrieval on dev; None: never.
        bucketed: sentences of similar length share a batch.
        seeds: this many of the corpus's, the first ones; None for all.
    """

    kind: Kind = "lstm"
    similarity: NotNegative = 0.0
    weighed: Literal["as it is", "comparable"] = "as it is"
    weight_decay: NotNegative = 0.0
    weight_decays: list[NotNegative] = Field(default_factory=list)
    dimensions: Count
    units: Count = 512
    layers: Count = 2
    pooling: Pooling = "mean"
    dropout: Share = 0.1
    own_words: bool = True
    deviation: Positive = 0.1
    halve_after: Count | None = None
    bucketed: bool = True
    seeds: Count | None = None

    def record(self) -> dict[str, Json]:
        """The settings that a training depends on: all but the number of seeds."""
        return {name: value for name, value in super().record().items() if name != "seeds"}


class Training(Section):
    """A variant that is trained on a corpus."""

    corpus: str
    variant: str


class AlignedWords(Section):
    """The baseline of word vectors that one decomposition of the bitext aligns: its dimensions."""

    dimensions: Count


class Classifier(Section):
    """Logistic regression on vectors of documents: values of C among which dev decides."""

    penalties: Annotated[list[Positive], Field(min_length=1)]


class Translated(Section):
    """How BLEU is measured: sentences of test that an LSTM translates, each way, and hypotheses of the beam."""

    sentences: Count
    beam: Count = 5


class Measurement(Section):
    """How encoders are tested.

    Attributes:
        aligned_words: a baseline without a network.
        classifier: of documents.
        translated: for BLEU.
    """

    aligned_words: AlignedWords
    classifier: Classifier
    translated: Translated


class Settings(Measurement):
    """The section `multilingual_seq2seq` of params.yaml.

    Attributes:
        corpora: by name.
        tests: further ones, by name.
        recipe: what all trainings share.
        variants: by name, what differs.
        trainings: by name, a corpus and a variant; each is a stage.
    """

    corpora: Annotated[dict[Name, Corpus], Field(min_length=1)]
    tests: dict[Name, Test]
    recipe: Values
    variants: Annotated[dict[Name, Values], Field(min_length=1)]
    trainings: Annotated[dict[Name, Training], Field(min_length=1)]

    def recipe_for(self, corpus: str, variant: str) -> Recipe:
        """The shared values, then those of the corpus, then those of the variant; InputError on a mistake in them."""
        return parameters.overlaid(
            Recipe,
            {
                f"{SECTION}.recipe": self.recipe,
                f"{SECTION}.corpora.{corpus}.recipe": self.corpora[corpus].recipe,
                f"{SECTION}.variants.{variant}": self.variants[variant],
            },
        )

    def recipes_on(self, corpus: str) -> dict[str, Recipe]:
        """The recipes of the variants that are trained on one corpus."""
        variants = [training.variant for training in self.trainings.values() if training.corpus == corpus]
        return {variant: self.recipe_for(corpus, variant) for variant in variants}

    def seeds_for(self, corpus: str, variant: str) -> list[int]:
        """The seeds that a variant is trained with on a corpus."""
        return self.corpora[corpus].seeds[: self.recipe_for(corpus, variant).seeds]

    def tests_of(self, corpus: str) -> list[str]:
        """The names of the further tests of the models of one corpus."""
        return [name for name, test in self.tests.items() if test.corpus == corpus]


def load(values: Values | None = None) -> Settings:
    """The section, with the recipe of every training checked; `values` and errors as in `repline.parameters.load`."""
    settings = parameters.load(Settings, SECTION, values)
    for name, training in settings.trainings.items():
        _check_named(f"trainings.{name}", "corpus", training.corpus, settings.corpora)
        _check_named(f"trainings.{name}", "variant", training.variant, settings.variants)
    for name, corpus in settings.corpora.items():
        for variant in corpus.all_ways:
            _check_named(f"corpora.{name}.all_ways", "variant", variant, settings.variants)
        if not settings.recipes_on(name):
            raise InputError(f"params.yaml: {SECTION}.trainings has no training on the corpus {shown(name)}")
    for name, test in settings.tests.items():
        if name in settings.corpora or name.split("_")[0] in PARTS:
            raise InputError(
                f"params.yaml: {SECTION}.tests: {name} is the name of a corpus or a part; choose another name"
            )
        _check_named(f"tests.{name}", "corpus", test.corpus, settings.corpora)
    return settings


def _check_named(key: str, what: str, name: str, names: Iterable[str]) -> None:
    if name not in names:
        raise InputError(f"params.yaml: {SECTION}.{key}: there is no {what} {shown(name)}{nearest(name, names)}")
