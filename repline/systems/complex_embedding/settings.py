"""The section `complex_embedding` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from repline import parameters
from repline.evaluation.classification import recipes
from repline.evaluation.classification.recipes import HAN, Recipe, RecurrentClassifier, TextCNN
from repline.parameters import Count, Values

Sentence = Literal["mixture", "superposition"]
ReadoutForm = Literal["born", "dense", "vector"]
Phases = Literal["learned", "random", "zero", "word"]
Amplitudes = Literal["learned", "frozen"]


class ComplexEmbedding(recipes.Network):
    """Arguments of `repline.systems.complex_embedding.model.ComplexEmbedding`."""

    kind: Literal["complex"]
    sentence: Sentence = "mixture"
    readout: ReadoutForm = "dense"
    phases: Phases = "learned"
    amplitudes: Amplitudes = "learned"

    @model_validator(mode="after")
    def _has_readout(self) -> "ComplexEmbedding":
        if self.readout == "vector" and self.sentence == "mixture":
            raise ValueError("the readout vector is of a superposition, found a mixture")
        return self


class RealEmbedding(recipes.Network):
    """Arguments of `repline.systems.complex_embedding.model.RealEmbedding`."""

    kind: Literal["real"]
    wide: Count = 1


Network = Annotated[ComplexEmbedding | RealEmbedding | TextCNN | RecurrentClassifier | HAN, Field(discriminator="kind")]


class Corpus(recipes.Corpus):
    """Texts to classify; `recipe` holds what differs from the shared recipe."""

    recipe: Recipe


class Settings(recipes.Comparison[Recipe, Corpus, Network]):
    """The section `complex_embedding` of params.yaml.

    Attributes:
        vectors: a folder of data/vectors, for networks that start from vectors.
    """

    vectors: str


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "complex_embedding", values)
