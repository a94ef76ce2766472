"""The section `hcan` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from repline import parameters
from repline.evaluation.classification import recipes
from repline.evaluation.classification.recipes import RecurrentClassifier, TextCNN
from repline.parameters import Count, Json, Positive, Share
from repline.vectors.recipes import Word2Vec

Pooling = Literal["target", "maxpool"]
Values = Literal["convolution", "sequence"]
Norm = Literal["position", "joint"]
Scale = Literal["head", "full"]


class Recipe(recipes.Recipe):
    """What all networks of hcan are trained with, unless a corpus overrides it.

    Attributes:
        features, heads: d and h of the networks of the kind hcan.
    """

    features: Count
    heads: Count

    def record(self) -> dict[str, Json]:
        """What every network depends on; those of the kind hcan record their sizes themselves."""
        return {name: value for name, value in super().record().items() if name not in ("features", "heads")}


class HCAN(recipes.Network):
    """Arguments of `repline.systems.hcan.model.HCAN`; the recipe has `features` and `heads`."""

    kind: Literal["hcan"]
    flat: bool = False
    branches: Literal[1, 2] = 2
    pooling: Pooling = "target"
    values: Values = "convolution"
    norm: Norm = "position"
    scale: Scale = "head"
    width: Count = 3
    dropout: Share = 0.1
    document_dropout: Share = 0.0
    spread: Positive = 0.3


Network = Annotated[HCAN | TextCNN | RecurrentClassifier | recipes.HAN, Field(discriminator="kind")]


class Corpus(recipes.Corpus):
    """Texts to classify.

    Attributes:
        vectors: train, word vectors trained on the train part; or random, for all networks.
        recipe: what differs from the shared one.
    """

    vectors: Literal["train", "random"]
    recipe: Recipe


class Settings(recipes.Comparison[Recipe, Corpus, Network]):
    """The section `hcan` of params.yaml.

    Attributes:
        vectors: of the words of a corpus, for networks that start from vectors; the recipe has their dimensions and the
            least count of a word.
        learned: accuracy on dev whose first epoch is counted.
        shown: test documents of each corpus on the page of attention.
    """

    vectors: Word2Vec
    learned: Annotated[float, Field(gt=0, le=1)]
    shown: Count

    @field_validator("vectors")
    @classmethod
    def _leaves_sizes_to_the_recipe(cls, vectors: Word2Vec) -> Word2Vec:
        if sizes := vectors.model_fields_set & {"dimensions", "minimum_count"}:
            raise ValueError(f"{min(sizes)} is set in the recipe, for vectors and networks alike; leave it out here")
        return vectors

    def word2vec(self, corpus: str) -> Word2Vec:
        """How the word vectors of a corpus are trained."""
        recipe = self.corpora[corpus].recipe
        sizes = {"dimensions": recipe.dimensions, "minimum_count": recipe.minimum_count}
        return self.vectors.model_copy(update=sizes)


def load(values: parameters.Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "hcan", values)
