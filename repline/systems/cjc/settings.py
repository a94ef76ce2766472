"""The section `cjc` of params.yaml."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from repline import parameters
from repline.parameters import Count, Name, NotNegative, Overlays, Positive, Section, Seeds, Values
from repline.reading.wrong_records import OnError
from repline.vectors import recipes

Form = Literal["three_loss", "mix_hidden"]
AlignmentPairs = Literal["identical", "characters", "dictionary"]
OF_THE_VOCABULARY = ("minimum_count", "maximum_words", "column", "lower", "keep")


class HeldOut(Section):
    """Which pairs of sentences are held out.

    Attributes:
        sentences: how many, of those with `shortest` to `longest` words on both sides.
        seed: of their choice.
    """

    sentences: Annotated[int, Field(ge=2)]
    shortest: Annotated[int, Field(ge=2)]
    longest: Count
    seed: int

    @model_validator(mode="after")
    def _has_a_length(self) -> "HeldOut":
        if self.longest < self.shortest:
            raise ValueError(f"longest should be at least shortest, found {self.longest} and {self.shortest}")
        return self


class Corpus(Section):
    """What is learned from and tested on.

    Attributes:
        corpus: a bitext, a folder of data/.
        origins: the files of the bitext to learn from; None for all.
        elsewhere: other files of it, which only test.
        characters: a table of corresponding characters, a folder or file of data/.
        compared: another such table, which it is compared with.
        on_error: stop at a wrong row of these tables; or salvage: leave it out, and count it on the card.
        minimum_count: of a word of the vocabulary.
        window: K, words to the left and to the right.
        distance_weight: a neighbour counts 1 / its distance; else 1.
        test: which sentences are held out.
    """

    corpus: str
    origins: list[str] | None
    elsewhere: list[str]
    characters: str
    compared: str
    on_error: OnError = "stop"
    minimum_count: Count
    window: Count
    distance_weight: bool
    test: HeldOut


class Glove(recipes.Glove):
    """A variant of GloVe.

    Attributes:
        matching, parallel: lambda and mu, the weights of the two contexts across languages.
        include_match: the matching word itself is counted.
        shuffled: each match is with a word drawn from the parallel sentence, a control.
    """

    matching: NotNegative = 0.0
    parallel: NotNegative = 0.0
    include_match: bool = False
    shuffled: bool = False


class CBOW(Section):
    """A variant of CBOW.

    Attributes:
        form: three_loss, eq. (5) of the paper; mix_hidden, what the authors' program does.
        matching, parallel: lambda and mu.
        mix: the shares of own window, windows of matching words, and parallel sentence in the mixed form.
        include_match: the matching word itself belongs to the window around it.
        iterations: passes over the corpus.
        learning_rate: at the beginning; it falls linearly.
        negative: drawn words for each true one.
        negatives: drawn from the words of both languages, or of the predicted word's own language.
        sample: words with a larger share of their language than this are partly left out; 0 leaves out none.
    """

    form: Form = "three_loss"
    matching: NotNegative = 0.4
    parallel: NotNegative = 0.2
    mix: Annotated[list[NotNegative], Field(min_length=3, max_length=3)] = Field(default=[0.5, 0.35, 0.15])
    include_match: bool = False
    dimensions: Count = 100
    iterations: Count = 15
    learning_rate: Positive = 0.025
    negative: Count = 5
    negatives: Literal["both", "own"] = "both"
    sample: NotNegative = 1e-3

    @field_validator("mix")
    @classmethod
    def _adds_up(cls, mix: list[float]) -> list[float]:
        if abs(sum(mix) - 1) > 1e-6:
            raise ValueError(f"expected three shares that add up to 1, found {mix}")
        return mix


class FastText(recipes.FastText):
    """fastText of each language; its words are those of the vocabulary, and each run has its seed."""

    minimum_count: Count = 1
    lower: bool = False

    @model_validator(mode="before")
    @classmethod
    def _leaves_the_words(cls, values: Any) -> Any:
        for name in (*OF_THE_VOCABULARY, "seed"):
            if isinstance(values, Mapping) and name in values:
                where = "cjc.seeds" if name == "seed" else "cjc.minimum_count"
                raise ValueError(f"all methods share {name}; set {where} instead")
        return values


class Alignment(Section):
    """A variant of the peer.

    Attributes:
        pairs: what the map is learned from, see `repline.systems.cjc.aligned_fasttext.seed_words`.
    """

    pairs: AlignmentPairs


class GloveVariants(Section):
    """Recipes of GloVe by name; `training` in params.yaml holds what they share."""

    variants: Annotated[dict[Name, Glove], Overlays("training")]


class CBOWVariants(Section):
    """Recipes of CBOW by name; `training` in params.yaml holds what they share."""

    variants: Annotated[dict[Name, CBOW], Overlays("training")]


class AlignedVariants(Section):
    """The peer: fastText of each language, and the ways in which the one is turned onto the other."""

    fasttext: FastText
    variants: dict[Name, Alignment]


class Settings(Corpus):
    """The section `cjc` of params.yaml.

    Attributes:
        analogy_pairs: largest number of pairs of words that analogies are made of.
        seeds: of every variant's trainings.
    """

    analogy_pairs: Annotated[int, Field(ge=2)]
    seeds: Seeds
    glove: GloveVariants
    cbow: CBOWVariants
    aligned: AlignedVariants

    def variants(self) -> dict[str, list[str]]:
        """The names of all variants by their method: glove, cbow, aligned."""
        return {
            "glove": list(self.glove.variants),
            "cbow": list(self.cbow.variants),
            "aligned": list(self.aligned.variants),
        }


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "cjc", values)
