"""The section `multilingual_seq2seq` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.parameters import Count, Positive, Section, Seeds
from repline.systems.multilingual_seq2seq.corpus import write_data
from repline.systems.multilingual_seq2seq.evaluation import USUAL, WAYS
from repline.systems.multilingual_seq2seq.splits import part_of
from repline.systems.multilingual_seq2seq.training import Recipe

AT = "multilingual_seq2seq"
GIVEN = ("texts", "folder")


class Texts(Section):
    """What a corpus is made of, besides the parameters of `write_data`: a folder of data/ (`parallel.multiway`)."""

    texts: str


class Corpus(Section):
    """A corpus, and what learns from it.

    Attributes:
        data: `texts` and the parameters of `write_data`.
        pairs: of languages that are translated into each other.
        variants: names of `variants` that are trained.
        all_ways: those of which every way is measured that makes a vector of a document.
        classified: whether labelled documents are classified.
        seeds: one run each.
        recipe: what differs from the shared one.
    """

    data: dict[str, Any]
    pairs: Annotated[list[Annotated[list[str], Field(min_length=2, max_length=2)]], Field(min_length=1)]
    variants: Annotated[list[str], Field(min_length=1)]
    all_ways: list[str] = Field(default_factory=list)
    classified: bool = True
    seeds: Seeds
    recipe: dict[str, Any] = Field(default_factory=dict)


class Test(Section):
    """A further test: the corpus whose models are tested, and a folder of data/ with texts (`parallel.multiway`)."""

    corpus: str
    texts: str


class Peer(Section):
    """Means of aligned word vectors: their dimensions."""

    dimensions: Count


class Translated(Section):
    """How many test sentences an LSTM translates, each way, for BLEU, and the beam."""

    sentences: Count
    beam: Count


class Classifier(Section):
    """Values of C among which dev decides."""

    penalties: Annotated[list[Positive], Field(min_length=1)]


class Settings(Section):
    """The whole section.

    Attributes:
        corpora: by name. tests: further ones, by name.
        recipe: what all trainings share. variants: by name, what differs.
        aligned_words: a peer. classifier: of documents. translated: for BLEU.
    """

    corpora: Annotated[dict[str, Corpus], Field(min_length=1)]
    tests: dict[str, Test]
    recipe: dict[str, Any]
    variants: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    aligned_words: Peer
    classifier: Classifier
    translated: Translated

    def recipes(self, corpus: str) -> dict[str, dict[str, Any]]:
        """The parameters of the training of each variant of a corpus."""
        own = self.corpora[corpus]
        chosen = {name: own.recipe | self.variants[name] for name in own.variants}
        return parameters.variants(Recipe, self.recipe, chosen, AT)

    def seeds_of(self, corpus: str, variant: str) -> list[int]:
        """The seeds of one variant of a corpus."""
        return self.corpora[corpus].seeds[: self.recipes(corpus)[variant].get("seeds")]

    def ways(self, corpus: str, variant: str) -> list[str]:
        """Ways to make a vector of a document, that are measured of a variant or a peer; none without classes."""
        if not self.corpora[corpus].classified:
            return []
        return list(WAYS) if variant in self.corpora[corpus].all_ways else list(USUAL)


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section of params.yaml, checked; InputError on a mistake."""
    settings = parameters.load(Settings, AT, values)
    model = parameters.signature(write_data, GIVEN, Texts)
    parameters.variants(model, {}, {name: one.data for name, one in settings.corpora.items()}, AT, "corpora")
    for name in (*settings.corpora, *settings.tests, *settings.variants):
        if not name.isidentifier():
            raise InputError(f"params.yaml: {AT}: expected a name like own_words, found {name!r}")
    for name, corpus in settings.corpora.items():
        for variant in (*corpus.variants, *corpus.all_ways):
            if variant not in settings.variants:
                near = parameters.nearest(variant, settings.variants)
                raise InputError(f"params.yaml: {AT}.corpora.{name}: no variant {variant!r}{near}")
        settings.recipes(name)
    for name, test in settings.tests.items():
        if name in settings.corpora or part_of(name):
            raise InputError(f"params.yaml: {AT}.tests: {name} is taken; a test has a name of its own")
        if test.corpus not in settings.corpora:
            near = parameters.nearest(test.corpus, settings.corpora)
            raise InputError(f"params.yaml: {AT}.tests.{name}: no corpus {test.corpus!r}{near}")
    return settings
