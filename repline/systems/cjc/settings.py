"""The section `cjc` of params.yaml."""

from typing import Annotated, Any

from pydantic import Field, model_validator

from repline import parameters
from repline.parameters import Count, NotNegative, Section, Seeds
from repline.systems.cjc import aligned_fasttext
from repline.systems.cjc.cbow import train_cbow
from repline.vectors import recipes


class Test(Section):
    """What is held out."""

    sentences: Annotated[int, Field(ge=2)]
    shortest: Annotated[int, Field(ge=2)]
    longest: Count
    seed: int
    analogy_pairs: Annotated[int, Field(ge=2)]

    @model_validator(mode="after")
    def _has_a_length(self) -> "Test":
        if self.longest < self.shortest:
            raise ValueError(f"longest should be at least shortest, found {self.longest} and {self.shortest}")
        return self


class Settings(Section):
    """The whole section; `glove`, `cbow` and `aligned` are checked with their variants by `variants`."""

    corpus: str
    origins: list[str] | None
    elsewhere: list[str]
    characters: str
    compared: str
    minimum_count: Count
    window: Count
    distance_weight: bool
    test: Test
    seeds: Seeds
    glove: dict[str, Any]
    cbow: dict[str, Any]
    aligned: dict[str, Any]


class Glove(Section):
    """What a variant of GloVe is fitted to; its other knobs are those of `train_glove`.

    `shuffled`: each match is with a word drawn from the parallel sentence, a control.
    """

    matching: NotNegative = 0.0
    parallel: NotNegative = 0.0
    include_match: bool = False
    shuffled: bool = False


class Aligned(Section):
    """What the map of a variant is learned from; its other knobs are those of `repline.vectors.training.fasttext`."""

    pairs: aligned_fasttext.Seeds


OF_FASTTEXT = ("corpus", "folder", "minimum_count", "maximum_words", "column", "lower", "keep", "seed", "progress")
METHODS = {
    "glove": type("GloveVariant", (recipes.Glove, Glove), {}),
    "cbow": parameters.signature(train_cbow, ("window", "seed", "report")),
    "aligned": type("AlignedVariant", (recipes.FastText, Aligned), {}),
}


def read() -> Settings:
    """The section of params.yaml, its variants checked; InputError as in `repline.parameters.load`."""
    settings = parameters.load(Settings, "cjc")
    for method in METHODS:
        variants(settings, method)
    return settings


def variants(settings: Settings, method: str) -> dict[str, dict[str, Any]]:
    """The knobs of every variant of a method (glove, cbow, aligned)."""
    values = getattr(settings, method)
    shared = {name: value for name, value in values.items() if name != "variants"}
    return parameters.variants(METHODS[method], shared, values.get("variants", {}), f"cjc.{method}")
