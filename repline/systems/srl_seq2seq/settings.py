"""The section `srl_seq2seq` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field

from repline import parameters
from repline.errors import InputError, shown
from repline.parameters import Count, Json, Name, NotNegative, Section, Seeds, Share, Values
from repline.training import recipes

SECTION = "srl_seq2seq"
Edges = Annotated[list[Count], Field(min_length=2, max_length=2)]


class Corpus(Section):
    """The instances of a corpus.

    Attributes:
        roles: a corpus of semantic roles, a folder of data/.
        pretrained: only words that have a vector are known.
        train, dev, test: number of instances, the first ones that fit; None for all.
        shortest, longest: words of a sentence, in all splits.
        longest_target: tokens with brackets; longer ones are left out of train. None: no bound.
        minimum_count: how often a known word is in train.
        verbs: only predicates whose tag begins with VB, and that have an argument other than themselves.
        without_predicate: sentences without a predicate are instances of train, too.
    """

    roles: str
    pretrained: bool = False
    train: Count | None = None
    dev: Count | None = None
    test: Count | None = None
    shortest: Count = 1
    longest: Count | None = None
    longest_target: Count | None = 100
    minimum_count: Count = 1
    verbs: bool = False
    without_predicate: bool = False


class Ranges(Section):
    """Where the second and third range begin: of sentence length, distance from the predicate, position of a word."""

    length: Edges
    distance: Edges
    position: Edges


class Analysis(Section):
    """What the evaluation reports of a corpus.

    Attributes:
        agent, patient: labels of the baseline of noun chunks.
        shown: labels whose spans are counted one by one.
        ranges: of lengths, distances and positions.
    """

    agent: str
    patient: str
    shown: list[str]
    ranges: Ranges


class Decoding(Section):
    """How outputs are decoded.

    Attributes:
        beam: hypotheses; 1 is greedy.
        length_power: of the normalisation of their scores.
        constrained: free, any token may follow. Otherwise brackets open and close in turn, only the next word of the
            source may be written, and the end follows the last word, so that each output has the words of its source
            and balanced brackets. With next, that word has its own probability; with mass, the sum of the
            probabilities of all words, for a model that cannot tell which word comes next.
    """

    beam: Count = 1
    length_power: NotNegative = 0.0
    constrained: Literal["free", "next", "mass"] = "free"


class Recipe(recipes.Recipe):
    """A model and its training.

    Attributes:
        kind: copying, attention (which only generates), or a tagger.
        labels: the true ones, or shuffled among the spans of train and dev.
        embedding: size of vectors that begin at random; pretrained ones have their own.
        units: of each direction.
        layers: of the encoder.
        dropout: as of the model.
        decodings: by name, further ways to write; none for a tagger.
        runs: number of seeds, the first ones; None for all.
    """

    kind: Literal["copying", "attention", "tagger"] = "copying"
    labels: Literal["true", "shuffled"] = "true"
    embedding: Count = 100
    units: Count = 256
    layers: Count = 1
    dropout: Share = 0.0
    decodings: dict[str, Decoding] = Field(default_factory=dict)
    runs: Count | None = None

    def record(self) -> dict[str, Json]:
        """All settings that a training depends on: all but the number of runs."""
        return {name: value for name, value in super().record().items() if name != "runs"}


class Settings(Section):
    """The section `srl_seq2seq` of params.yaml.

    Attributes:
        vectors: of words, a folder of data/.
        corpora, analyses: by the name of a corpus.
        training: what all variants share.
        recipes: by the name of a corpus, what differs from `training` on it.
        seeds: of all trainings.
        variants: by name, what differs.
    """

    vectors: str
    corpora: Annotated[dict[Name, Corpus], Field(min_length=1)]
    analyses: dict[Name, Analysis]
    training: Values
    recipes: dict[Name, Values]
    seeds: Seeds
    variants: Annotated[dict[Name, Values], Field(min_length=1)]

    def recipe_for(self, corpus: str, variant: str) -> Recipe:
        """The recipe of a variant on a corpus; InputError on a mistake in it."""
        layers = {
            f"{SECTION}.training": self.training,
            f"{SECTION}.recipes.{corpus}": self.recipes[corpus],
            f"{SECTION}.variants.{variant}": self.variants[variant],
        }
        return parameters.overlaid(Recipe, layers)

    def seeds_for(self, corpus: str, variant: str) -> list[int]:
        """The seeds that a variant is trained with on a corpus."""
        return self.seeds[: self.recipe_for(corpus, variant).runs]


def load(values: Values | None = None) -> Settings:
    """The section, its variants checked on every corpus; `values` and errors as in `repline.parameters.load`."""
    settings = parameters.load(Settings, SECTION, values)
    for corpus in settings.corpora:
        for key in ("analyses", "recipes"):
            if corpus not in getattr(settings, key):
                raise InputError(f"params.yaml: {SECTION}.{key} has no entry for the corpus {shown(corpus)}")
        for variant in settings.variants:
            settings.recipe_for(corpus, variant)
    for corpus in settings.recipes:
        if corpus not in settings.corpora:
            near = parameters.nearest(corpus, settings.corpora)
            raise InputError(f"params.yaml: {SECTION}.recipes: there is no corpus {shown(corpus)}{near}")
    return settings
