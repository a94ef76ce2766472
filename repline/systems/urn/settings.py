"""The section `urn` of params.yaml."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from repline import parameters
from repline.parameters import Count, Name, Overlays, Section, Seeds, Share, Values
from repline.reading.settings import LineReading
from repline.training import recipes

Size = Annotated[int, Field(ge=2)]  # of a square matrix
Seed = Annotated[int, Field(ge=0)]
MAX_PAIRS = 127  # whose depths an int8 holds


class DyckCorpus(Section):
    """How the strings of the Dyck language are drawn.

    Attributes:
        pairs: N, bracket pairs in each string; strings have 2N characters.
        train_depth: the depth that every training string reaches and none exceeds, at most N.
        train_strings, test_strings: how many to draw. Repetitions are kept, as in the experiment.
        seed: the two sets are drawn from independent generators, so the size of one does not change the other.
    """

    pairs: Annotated[int, Field(ge=1, le=MAX_PAIRS)]
    train_depth: Count
    train_strings: Count
    test_strings: Count
    seed: Seed

    @model_validator(mode="after")
    def _depth_can_be_reached(self) -> "DyckCorpus":
        if self.train_depth > self.pairs:
            raise ValueError(
                f"train_depth: {self.pairs} pairs can reach a depth of 1 to {self.pairs}, found {self.train_depth}"
            )
        return self


class AgreementCorpus(LineReading):
    """What the agreement corpus is made of.

    A wrong sentence of a treebank may be left out (`on_error`); a wrong line of a table always stops the reading.

    Attributes:
        source: a folder of data/, or a file in it.
        minimum_count: how often a word must occur to be kept.
        maximum_tokens: sentences with more tokens are left out; a subject and a verb are 2.
        test_share: of the examples; not used when the source is split.
        seed: of the hash that documents are split by.
    """

    source: str
    minimum_count: Count
    maximum_tokens: Annotated[int, Field(ge=2)]
    test_share: Annotated[float, Field(gt=0, lt=1)]
    seed: Seed


class Corpora(Section):
    """How the two corpora are made."""

    dyck: DyckCorpus
    agreement: AgreementCorpus


class Recipe(recipes.Recipe):
    """Settings of the models of both tasks, without those of training.

    Attributes:
        n, k, dropout: of the matrix models in `repline.systems.urn.model`; k is of the k-TURN.
        embedding, units, dropout: of `repline.systems.urn.model.LSTMReader`.
        batch: in strings or in examples.
    """

    n: Size
    dropout: Share
    k: Count | None = None
    units: Count = 50

    @model_validator(mode="after")
    def _truncation_fits(self) -> "Recipe":
        if self.k is not None and self.k > self.n:
            raise ValueError(f"k should be at most n, which is {self.n}, found {self.k}")
        return self


class DyckRecipe(Recipe):
    """A language model of the Dyck language.

    Attributes:
        model: turn (k-TURN), full (Full-URN), arbitrary (unconstrained matrices) or lstm.
        parameter_masks: of the matrix models, see `repline.systems.urn.model.URN`.
    """

    model: Literal["turn", "full", "arbitrary", "lstm"]
    embedding: Count = 12
    parameter_masks: Count = 1


class AgreementRecipe(Recipe):
    """A classifier of verb number.

    Attributes:
        model: turn (k-TURN; Full-URN when k is None) or lstm.
    """

    model: Literal["turn", "lstm"]
    embedding: Count = 50


class _Task(Section):
    """Variants by name; a variant that sets no `model` is of the model that it is named after."""

    @model_validator(mode="before")
    @classmethod
    def _models_by_name(cls, values: Any) -> Any:
        if not isinstance(values, Mapping) or not isinstance(values.get("variants"), Mapping):
            return values
        variants = {
            name: {"model": name} | dict(variant) if isinstance(variant, Mapping) else variant
            for name, variant in values["variants"].items()
        }
        return {**values, "variants": variants}

    @field_validator("variants", mode="before", check_fields=False)
    @classmethod
    def _turn_is_needed(cls, variants: Any) -> Any:
        if isinstance(variants, Mapping) and "turn" not in variants:
            raise ValueError("expected a variant `turn`, whose matrices the evaluation inspects")
        return variants


class Dyck(_Task):
    """The models of the Dyck language; other keys of the section are what they share."""

    variants: Annotated[dict[Name, DyckRecipe], Overlays()]


class Agreement(_Task):
    """The models of verb number; other keys of the section are what they share."""

    variants: Annotated[dict[Name, AgreementRecipe], Overlays()]


class Settings(Section):
    """The section `urn` of params.yaml.

    Attributes:
        seeds: of every variant's trainings.
    """

    seeds: Seeds
    corpora: Corpora
    dyck: Dyck
    agreement: Agreement


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "urn", values)
