"""The section `bracket_rnn` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from repline import parameters
from repline.parameters import Count, Name, NotNegative, Overlays, Positive, Section, Seeds, Share, Values
from repline.training import recipes

Brackets = Literal["none", "tree", "random"]
Variant = Literal["A", "B", "C", "linear"]  # of a Bracket-RNN
Merge = Literal["separate", "joint", "restore", "keep"]
Activation = Literal["tanh", "relu"]
Start = Literal["mean", "small"]


class Scheme(Section):
    """Which relations of an annotation scheme are optional, and the exceptions to them."""

    optional: list[str]
    required: list[str]


# the poster names a required and an optional relation, the rest is not stated; `obl:*` is obl and its subtypes
SCHEMES = {
    "spacy": Scheme(
        optional=[
            "prep", "advmod", "npadvmod", "advcl", "relcl", "acl", "amod", "nummod", "appos", "parataxis", "intj",
            "nmod", "meta",
        ],
        required=[],
    ),
    "ud": Scheme(
        optional=[
            "obl:*", "nmod:*", "advmod", "advcl:*", "acl", "acl:relcl", "amod", "nummod", "appos", "parataxis",
            "discourse", "vocative", "dislocated",
        ],
        required=["nmod:poss", "nmod:desc"],
    ),
}  # fmt: skip


class Constituents(Section):
    """How optional constituents are found.

    Attributes:
        scheme: which of `schemes` the corpus is annotated by.
        schemes: relations by the name of an annotation scheme; `required` are exceptions.
        minimum_length: of a constituent, in words.
        collapse: one pair of brackets for several constituents of the same words.
        seed: of the random places of the control.
    """

    scheme: str
    schemes: dict[str, Scheme] = SCHEMES
    minimum_length: Count = 2
    collapse: bool = False
    seed: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _names_a_scheme(self) -> "Constituents":
        if self.scheme not in self.schemes:
            near = parameters.nearest(self.scheme, self.schemes)
            raise ValueError(f"scheme should name one of schemes, found {self.scheme!r}{near}")
        return self

    @property
    def relations(self) -> Scheme:
        """The lists of the chosen scheme."""
        return self.schemes[self.scheme]


class Layers(Section):
    """The sizes and regularisers of `repline.systems.bracket_rnn.awd_lstm.AWDLSTM`."""

    embedding: Count = 400
    units: Count = 1150
    layers: Count = 3
    tied: bool = True
    weight_dropout: Share = 0.0
    input_dropout: Share = 0.0
    hidden_dropout: Share = 0.0
    output_dropout: Share = 0.0
    word_dropout: Share = 0.0
    alpha: NotNegative = 0.0
    beta: NotNegative = 0.0
    uniform: Positive | None = None


class Merging(Section):
    """How a `repline.systems.bracket_rnn.model.BracketRNN` reads brackets, apart from its variant."""

    merge: Merge = "separate"
    merge_units: Count = 400
    activation: Activation = "tanh"
    start: Start = "small"
    merge_dropout: Share = 0.0
    attention: bool = False
    predict: bool = False


class Recipe(recipes.LanguageModelRecipe, Layers, Merging):
    """A model, the text that it reads, and its training.

    Attributes:
        brackets: none, tree, or random: what the input has of them.
        variant: lstm, the AWD-LSTM that knows no brackets; or one of a `BracketRNN`.
        vocabulary, minimum_count: as for `LanguageModelingCorpus.load`.
        shortest, longest: words of a sentence; others are left out, in all splits.
        train_sentences, evaluation_sentences: the first N of them; None for all.
        batch: sentences side by side, sorted by length, or, with `steps`, rows of a stream.
        steps: length of the segments of a stream whose state and stack are carried; None for single sentences.
        random_steps: draw the lengths of segments, see `repline.training.language_model_batches.contiguous`.
    """

    brackets: Brackets
    variant: Variant | Literal["lstm"]
    vocabulary: Count | None
    minimum_count: Count
    shortest: Count
    longest: Count | None
    train_sentences: Count | None
    evaluation_sentences: Count | None
    steps: Count | None = None
    random_steps: bool = False

    @model_validator(mode="after")
    def _reads_what_it_knows(self) -> "Recipe":
        if (self.variant == "lstm") != (self.brackets == "none"):
            raise ValueError(
                f"the variant is {self.variant!r} and the brackets are {self.brackets!r}; the lstm reads no brackets, "
                "and every other one reads tree or random ones"
            )
        return self


class Settings(Section):
    """The section `bracket_rnn` of params.yaml.

    Attributes:
        corpus: a folder of data/, made of sentences with a dependency parse.
        seeds: of every run's trainings.
        runs: recipes by name; all other keys of params.yaml are what they share.
    """

    corpus: str
    constituents: Constituents
    seeds: Seeds
    runs: Annotated[dict[Name, Recipe], Field(min_length=1), Overlays()]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "bracket_rnn", values)
