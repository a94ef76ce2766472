"""The section `wordnet_embeddings` of params.yaml."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from repline import parameters
from repline.lexicons.recipes import Selection
from repline.parameters import Count, Name, Overlays, Section, Values
from repline.reading.settings import LineReading

DEFAULT = "default"  # the name of what all variants change
Method = Literal["auto", "dense", "streamed"]
Steps = Literal["stochastic", "adjacency", "adjacency_inverted"]


class Walks(Section):
    """Arguments of `repline.systems.wordnet_embeddings.model.affinities`, except the relations.

    Attributes:
        alpha: the decay of a step.
        steps: "stochastic" for P = M / row sums; "adjacency" for P = M, as the formula in the paper has it;
            "adjacency_inverted", the same even where the inverse is not the sum of the walks.
        pmi: False leaves the sums of walks as they are, which is not sparse.
        method: "dense" (2 n^3 flop, 2 n^2 numbers), "streamed" (rows at a time), or by the number of words.
    """

    alpha: float = 0.75
    steps: Steps = "stochastic"
    pmi: bool = True
    method: Method = "auto"


class Graph(Walks):
    """The words of a graph, their relations, and the walks between them.

    Attributes:
        words: n; None for all that are there.
        selection, selection_seed: which, see `repline.lexicons.wordnet.subgraphs.select_words`.
        pos: the parts of speech whose words and relations are taken; None for all.
        relations, weights, expand_lexical, binary: of `repline.lexicons.word_graph.relation_matrix`.
    """

    words: Count | None = None
    selection: Selection = "densest"
    selection_seed: int = 0
    pos: list[str] | None = None
    relations: list[str] | None = None
    weights: dict[str, float] | None = None
    expand_lexical: bool = True
    binary: bool = False


class Components(Section):
    """Arguments of `repline.systems.wordnet_embeddings.model.reduce`, except the affinities.

    Attributes:
        dimensions: d, or n where that is less; None keeps the n columns, not centred.
        unit_length: False leaves the rows as long as they are.
        centre: whether the mean row is subtracted before the principal axes are taken.
        seed: of the randomised singular value decomposition.
    """

    dimensions: Count | None = 850
    unit_length: bool = True
    centre: bool = True
    seed: int = 0


class Recipe(Graph, Components):
    """One variant of the method, from a graph of words to vectors.

    Attributes:
        reduction: principal axes, or an autoencoder.
        optimizer, epochs, batch: of the autoencoder.
    """

    reduction: Literal["pca", "autoencoder"] = "pca"
    optimizer: Literal["nadam", "adadelta"] = "nadam"
    epochs: Count = 2
    batch: Count = 100

    @model_validator(mode="after")
    def _can_be_encoded(self) -> "Recipe":
        if self.reduction == "autoencoder" and (self.dimensions is None or not self.unit_length):
            raise ValueError("an autoencoder needs a number of dimensions, and unit_length (values from 0 to 1)")
        return self

    def has_affinities_of(self, variant: "Recipe") -> bool:
        """Whether two variants differ only in what follows the walks."""
        return all(getattr(self, name) == getattr(variant, name) for name in Graph.model_fields)

    def has_fewer_components_than(self, variant: "Recipe") -> bool:
        """Whether the vectors are the first columns of another variant's: they differ in the number of axes alone."""
        if self.reduction != "pca" or self.dimensions is None or variant.dimensions is None:
            return False
        alike = self.model_dump(exclude={"dimensions"}) == variant.model_dump(exclude={"dimensions"})
        return alike and self.dimensions <= variant.dimensions


def _not_default(name: str) -> str:
    if name == DEFAULT:
        raise ValueError(f"{DEFAULT} is reserved for the settings that all variants change; choose another name")
    return name


VectorsName = Annotated[Name, AfterValidator(_not_default)]


class Settings(LineReading):
    """The whole section; the stages depend on the first and the last of `benchmarks`.

    A wrong line of neighbour lists and of the list of frequent words is treated by `on_error`.

    Attributes:
        lexicon: in data/: a graph of words, a wordnet, or a file of neighbour lists.
        benchmarks: sources of tests of word similarity, folders of data/raw.
        keep: the names of tests whose words are in every graph.
        frequency: a folder of data/ with words, the most frequent first, for a selection by frequency.
        baselines: vectors of text to compare with, by name: folders of data/vectors.
        default: the variant whose vectors are kept whole.
        variants: by name, with the values of `default`.
    """

    lexicon: str
    benchmarks: Annotated[list[str], Field(min_length=1, max_length=2)]
    keep: list[str]
    frequency: str
    baselines: Annotated[dict[VectorsName, str], Field(min_length=1)]
    default: Recipe
    variants: Annotated[dict[VectorsName, Recipe], Overlays(DEFAULT)]

    @model_validator(mode="after")
    def _differ(self) -> "Settings":
        if both := sorted(self.variants.keys() & self.baselines.keys()):
            raise ValueError(f"{both[0]!r} is the name of a variant and of a baseline; choose another name")
        return self

    @property
    def recipes(self) -> dict[str, Recipe]:
        """The default and all variants, by name."""
        return {DEFAULT: self.default} | self.variants


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "wordnet_embeddings", values)
