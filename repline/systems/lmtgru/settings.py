"""The section `lmtgru` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from repline import parameters
from repline.evaluation.classification import recipes
from repline.evaluation.classification.recipes import HAN, RecurrentClassifier, TextCNN
from repline.parameters import Count, Json, Positive, Share, Values

UNIFORM = 0.25 / 3**0.5  # standard deviation of U(-0.25, 0.25)

SIZES = ("units", "filters")  # that the recipe has for networks without their own

Cell = Literal["gru", "lstm"]


class Recipe(recipes.Recipe):
    """What all networks of lmtgru are trained with, unless a corpus overrides it.

    Attributes:
        beta2: decay of the squares in RMSprop.
        units, filters: of the networks of the kind lmtgru that do not set them themselves.
    """

    units: Count
    filters: Count

    def record(self) -> dict[str, Json]:
        """What every network depends on; those of the kind lmtgru record their sizes themselves."""
        return {name: value for name, value in super().record().items() if name not in SIZES}


class CNNLMTGRU(recipes.Network):
    """Arguments of `repline.systems.lmtgru.model.CNNLMTGRU`; units and filters that are None are the recipe's."""

    kind: Literal["lmtgru"]
    units: Count | None = None
    timescales: list[float] = Field(default=[1.0, 1.25])
    timescale_rate: Positive | None = 1e-5
    convolution: bool = True
    cell: Cell = "gru"
    widths: list[Count] = Field(default=[3, 4, 5])
    filters: Count | None = None
    pool: Count = 4
    dropout: Share = 0.5
    spread: Positive = UNIFORM

    def arguments(self) -> dict[str, Json]:
        """The arguments of the network's class that params.yaml sets."""
        return {name: value for name, value in super().arguments().items() if value is not None or name not in SIZES}


Network = Annotated[CNNLMTGRU | TextCNN | RecurrentClassifier | HAN, Field(discriminator="kind")]


class Corpus(recipes.Corpus):
    """Texts to classify.

    Attributes:
        folds: of cross-validation over all its texts; None takes its parts as they are.
        recipe: what differs from the shared one.
    """

    folds: Annotated[int, Field(ge=2)] | None
    recipe: Recipe


class Settings(recipes.Comparison[Recipe, Corpus, Network]):
    """The section `lmtgru` of params.yaml."""

    @field_validator("networks")
    @classmethod
    def _start_at_random(cls, networks: dict[str, Network]) -> dict[str, Network]:
        for name, network in networks.items():
            if network.start != "random":
                raise ValueError(f"{name}: its start should be random, there are no word vectors here")
        return networks


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "lmtgru", values)
