"""The section `chinese_hybrid` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from repline import parameters
from repline.parameters import Count, Name, NotNegative, Overlays, Positive, Section, Seeds, Values
from repline.reading.settings import LineReading

Bag = Literal[
    "context_words",
    "context_characters",
    "context_components",
    "own_characters",
    "own_components",
    "composed_context",
]
RESERVED = ("corpus", "tests")  # keys of the metrics that are no models


class Corpus(Section):
    """The corpus, and which of its words and sentences are read.

    Attributes:
        corpus: a folder of data/ with a column of words, and of tags where `entities` are looked for.
        minimum_count: rarer words are left out.
        maximum_words: the most frequent ones that are kept; None for all.
        share: of the sentences, drawn at random.
        entities: tags of names; a word most of whose tags are among them is a name. A corpus without tags has none.
        language: for the card, when that of the corpus does not say it.
    """

    corpus: str
    minimum_count: Count = 5
    maximum_words: Count | None = None
    share: Annotated[float, Field(gt=0, le=1)] = 1.0
    share_seed: int = 0
    entities: list[str] = Field(default=[])
    language: str = "zh"


class Components(LineReading):
    """A table of the components of characters, see `repline.lexicons.hanzi.components`, and how it is read."""

    place: str
    steps: Count = 1


class Recipe(Section):
    """The bags of vectors of one model, and how it is trained.

    Attributes:
        bags: what predicts a word, see `repline.systems.chinese_hybrid.model`.
        consistency: the mean of the bags has to predict the word too.
        composed_names: names, too, are composed of their characters in the bag `composed_context`; else as in the paper
            they are words alone.
        sentences: the share of the sentences that is learned from, drawn at random by the seed of the run; the
            vocabulary stays that of the whole corpus.
        dimensions: d, of each vector.
        passes: over the corpus.
        window: words to the left and to the right at most; the width is drawn from 1 to this for each token.
        negative: words that are drawn for each token, the same for all bags; one that is the word itself is left out.
        sample: words with a larger share of the corpus than this are partly left out; 0 leaves out none.
        learning_rate: at first; it falls linearly to 1e-4 of that.
        divided: true takes the gradient as it is, in which a member of a mean of n has the n-th part of the mean's;
            false gives each member the whole, as word2vec does, which learns faster.
        threads: more than one change the same vectors at once (hogwild), and no two runs are alike.
        seeds: of this model's runs; None for those of the section.
    """

    bags: Annotated[list[Bag], Field(min_length=1)]
    consistency: bool = False
    composed_names: bool = False
    sentences: Annotated[float, Field(gt=0, le=1)] = 1.0
    dimensions: Count
    passes: Count
    window: Count = 5
    negative: Count = 5
    sample: NotNegative = 1e-4
    learning_rate: Positive = 0.025
    divided: bool = False
    threads: Count = 1
    seeds: Seeds | None = None


class Settings(Corpus):
    """The section `chinese_hybrid` of params.yaml.

    Attributes:
        seeds: of the runs of every model that has none of its own.
        models: recipes by name; what they share stands at the top level of the section.
        benchmarks: folders of data/raw with tests.
        word: whose neighbours the report shows.
    """

    components: Components
    seeds: Seeds
    models: Annotated[dict[Name, Recipe], Field(min_length=1), Overlays()]
    benchmarks: Annotated[list[str], Field(min_length=1, max_length=2)]
    word: str

    @field_validator("models")
    @classmethod
    def _names(cls, models: dict[str, Recipe]) -> dict[str, Recipe]:
        for name in RESERVED:
            if name in models:
                raise ValueError(f"{name} is a reserved name in the metrics; choose another name for the model")
        return models

    def seeds_of(self, model: str) -> list[int]:
        """The seeds of one model's runs."""
        return self.models[model].seeds or self.seeds


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "chinese_hybrid", values)
