"""The section `usif` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field

from repline import parameters
from repline.parameters import Count, NotNegative, Section, Seeds, Values
from repline.reading.wrong_records import OnError
from repline.training import recipes

Normalization = Literal["none", "divide", "multiply", "unit"]
Removal = Literal["none", "first", "piecewise", "full"]
Weighting = Literal["none", "idf", "sif", "usif"]
VariantName = Literal[
    "average",
    "tfidf",
    "sif",
    "sif_wr",
    "sif_divide_wr",
    "sif_p",
    "usif",
    "usif_wr",
    "usif_divide",
    "usif_divide_wr",
    "usif_p",
    "up",
    "up_multiply",
    "up_unit",
    "up_full",
    "up_unweighted",
]


class Recipe(recipes.Recipe):
    """A probe and its training.

    Attributes:
        hidden: units of `repline.systems.usif.probe.SentenceProbe`.
        l2: the penalty of the loss is (l2 / 2) Σ θ².
    """

    hidden: Count
    l2: NotNegative


class Probes(Section):
    """The supervised tasks, and the classifiers that are trained on sentence vectors for them.

    Attributes:
        variants: the sentence vectors that probes are trained on, of `repline.systems.usif.variants.VARIANTS`.
        seeds: of every task's trainings.
        training: of every probe.
    """

    variants: Annotated[list[VariantName], Field(min_length=1)]
    seeds: Seeds
    training: Recipe


class Settings(Section):
    """The section `usif` of params.yaml.

    Attributes:
        pairs, labelled, unigrams: folders of data/ with scored pairs, with sentences that have a class, and with counts
            of words.
        on_error: stop at a wrong line of these; or salvage: leave it out, and count it on the card.
        encoding: of those files without a byte order mark.
        vectors: of words, a folder of data/vectors.
        kind: of the vectors: which rows of the paper's tables the results are compared with.
        length: n of the constants; None for the mean number of words of the sentences at hand.
        components: m.
    """

    pairs: str
    labelled: str
    unigrams: str
    on_error: OnError = "stop"
    encoding: str = "utf-8"
    vectors: str
    kind: Literal["glove", "psl", "paranmt"]
    length: Count | None
    components: Count
    probes: Probes


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "usif", values)
