"""The section `tpgn` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from repline import parameters
from repline.parameters import Count, Name, NotNegative, Section, Seeds, Share, Values
from repline.training import recipes

COMPARED = ("tpgn", "lstm")


class Network(Section):
    """One network and how it begins.

    Attributes:
        kind: tpgn or lstm.
        dimensions: d of the TPGN; for an LSTM, d of the TPGN whose number of parameters it matches.
        output: free or tied, and sign: minus or plus, of the TPGN.
        start: what the vectors of words begin as: random numbers, or vectors from elsewhere, their mean taken away.
        frozen: whether vectors of words stay as they are.
    """

    kind: Literal["tpgn", "lstm"]
    dimensions: Count
    output: Literal["free", "tied"] = "free"
    sign: Literal["minus", "plus"] = "minus"
    start: Literal["random", "vectors"] = "random"
    frozen: bool = False


class Recipe(recipes.Recipe):
    """How all networks are trained.

    Attributes:
        embedding: numbers in a word's vector; those of vectors from elsewhere have their own.
        dropout: of `repline.systems.tpgn.model.CaptionGenerator`.
        fixed_epochs: after this many epochs the model `fixed` is saved.
        patience: epochs without a better loss on dev until training stops.
    """

    embedding: Count
    dropout: Share
    fixed_epochs: Count
    patience: Count

    @model_validator(mode="after")
    def _keeps_both_models(self) -> "Recipe":
        if self.fixed_epochs > self.epochs:
            raise ValueError(f"fixed_epochs should be at most epochs ({self.epochs}), found {self.fixed_epochs}")
        return self


class Decoding(Section):
    """How captions are decoded.

    Attributes:
        beam: width of the beam search that is compared with the greedy one; 1 for none.
        length_power: α of `repline.layers.generation.beam_search`.
    """

    beam: Count
    length_power: NotNegative


class Analysis(Section):
    """How vectors are examined.

    Attributes:
        pictures: of training, whose captions form the clusters.
        test_pictures: the first of the test, whose captions' words are examined; None for all.
    """

    pictures: Count
    test_pictures: Count | None = None


class Settings(Section):
    """The section `tpgn` of params.yaml.

    Attributes:
        captions: a folder of data/, a corpus of captions.
        vectors: a folder of data/, for the models that start with vectors of words from elsewhere.
        minimum_count, longest: of `repline.systems.tpgn.corpus.prepare`.
        models: by name; `tpgn` and `lstm` are the two that claims compare.
    """

    captions: str
    vectors: str
    minimum_count: Count
    longest: Count
    training: Recipe
    seeds: Seeds
    models: Annotated[dict[Name, Network], Field(min_length=1)]
    decoding: Decoding
    analysis: Analysis

    @model_validator(mode="after")
    def _has_the_compared_models(self) -> "Settings":
        if missing := [name for name in COMPARED if name not in self.models]:
            raise ValueError(f"models: {' and '.join(missing)} missing; the claims compare them")
        return self


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "tpgn", values)
