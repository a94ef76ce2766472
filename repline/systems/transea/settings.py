"""The section `transea` of params.yaml."""

from itertools import product
from typing import Annotated, Literal

from pydantic import Field, model_validator

from repline import parameters
from repline.graphs.recipes import Norm
from repline.parameters import Count, Name, Positive, Section, Seeds, Values, nearest

AttributeNorm = Literal["L1", "squared"]  # L1 and L2 of a single number are the same
Table = Literal["entities", "relations", "attributes"]
Alpha = Annotated[float, Field(ge=0, le=1)]  # weight of the numbers in the loss
TABLES: tuple[Table, ...] = ("entities", "relations", "attributes")


class Grid(Section):
    """Values that the first seed of a training tries; the lowest mean rank of the validation triples decides.

    Attributes:
        learning_rate, alpha: every pair of them is tried; empty: the value of the recipe.
    """

    learning_rate: list[Positive] = Field(default_factory=list)
    alpha: list[Alpha] = Field(default_factory=list)


class Recipe(Section):
    """One training of TransE or TransEA; the defaults are those of `small`.

    Attributes:
        dimensions, norm: of `repline.systems.transea.model.TransEA`.
        attribute_norm: of the error of a number in the loss.
        margin: gamma, of the hinge loss of triples.
        alpha: weight of the numbers; 0 is TransE.
        batches: of an epoch; every triple is in one of them.
        passes: how often an epoch goes over the numbers; they are spread over its batches.
        relation_mean, attribute_mean: relations, and attributes with their biases, move by the mean of their gradients
            in a batch times this; None: by the sum, as entities do.
        unit_length: tables whose rows are brought to length 1 after every step.
        corruption: which end is replaced: either alike, or, by "bernoulli", the tail with probability
            hpt / (hpt + tph), of tails per head and heads per tail.
        avoid_known: draw a corruption again, up to 10 times, that is a triple of training.
        numbers: given; shuffled within each attribute; or zero, as the authors' program reads them. The last two are
            controls.
        grid: values to choose from by the validation triples, in place of `learning_rate` and `alpha`.
        check_every: epochs after which the validation triples are ranked; None: never, and the last epoch counts.
        check_triples: how many of them; None: all.
        patience: of such checks without a lower mean rank before training stops; the vectors of the best are kept.
    """

    dimensions: Count = 50
    norm: Norm = "L1"
    attribute_norm: AttributeNorm = "L1"
    margin: Positive = 4.0
    learning_rate: Positive = 0.01
    alpha: Alpha = 0.3
    epochs: Count = 300
    batches: Count = 20
    passes: Count = 1
    relation_mean: Positive | None = None
    attribute_mean: Positive | None = 10.0
    unit_length: list[Table] = Field(default_factory=lambda: list(TABLES))
    corruption: Literal["uniform", "bernoulli"] = "uniform"
    avoid_known: bool = False
    numbers: Literal["given", "shuffled", "zero"] = "given"
    grid: Grid = Grid()
    check_every: Count | None = None
    check_triples: Count | None = None
    patience: Count = 3

    def candidates(self) -> list["Recipe"]:
        """The recipe with each pair of values of its grid; itself alone where there is none."""
        pairs = product(self.grid.learning_rate or [self.learning_rate], self.grid.alpha or [self.alpha])
        return [
            self.model_copy(update={"learning_rate": rate, "alpha": alpha, "grid": Grid()}) for rate, alpha in pairs
        ]


class OnGraph(Section):
    """The settings of one graph where they differ from those that all graphs share.

    Attributes:
        seeds: in place of those that all graphs share.
        training: values of the recipes there; those of a variant win over them.
    """

    seeds: Seeds | None = None
    training: Recipe = Recipe()


class Training(Section):
    """A variant that is trained on a graph."""

    graph: str
    variant: str


class Settings(Section):
    """The section `transea` of params.yaml.

    Attributes:
        seeds: of every training.
        training: values that all recipes share.
        variants: by name, the values that differ.
        graphs: what differs there, by the name of a folder in data/corpora.
        trainings: by name; each is a stage.
    """

    seeds: Seeds
    training: Recipe
    variants: Annotated[dict[Name, Recipe], Field(min_length=1)]
    graphs: Annotated[dict[str, OnGraph], Field(min_length=1)]
    trainings: Annotated[dict[Name, Training], Field(min_length=1)]

    @model_validator(mode="after")
    def _trainings_of_what_there_is(self) -> "Settings":
        for name, training in self.trainings.items():
            for key, names in (("graph", self.graphs), ("variant", self.variants)):
                value = getattr(training, key)
                if value not in names:
                    raise ValueError(f"trainings.{name}: there is no {key} {value!r}{nearest(value, names)}")
        return self

    def recipe_for(self, training: Training) -> Recipe:
        """Shared values, then those of the graph, then those of the variant; later ones win."""
        return parameters.overlaid(
            Recipe,
            {
                "transea.training": self.training,
                f"transea.graphs.{training.graph}.training": self.graphs[training.graph].training,
                f"transea.variants.{training.variant}": self.variants[training.variant],
            },
        )

    def seeds_for(self, graph: str) -> Seeds:
        """The seeds of the trainings on one graph."""
        return self.graphs[graph].seeds or self.seeds

    def variants_on(self, graph: str) -> list[str]:
        """The variants that are trained on one graph."""
        return [training.variant for training in self.trainings.values() if training.graph == graph]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "transea", values)
