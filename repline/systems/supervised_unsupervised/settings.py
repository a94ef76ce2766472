"""The section `supervised_unsupervised` of params.yaml."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from repline import parameters
from repline.evaluation.sentences.recipes import Protocol
from repline.parameters import (
    Count,
    Json,
    Name,
    NotNegative,
    Overlays,
    Positive,
    Section,
    Seeds,
    Share,
    Values,
    nearest,
)
from repline.reading.wrong_records import OnError
from repline.training import recipes

Kind = Literal["ae", "lm", "combined", "bi_ae", "bi_lm"]
Reduction = Literal["paper", "authors"]
CONTROLS, COUNTS = "controls", "counts"  # of metrics.json, apart from the variants


class Corpus(Section):
    """Pairs of sentences and the vectors of their words.

    Attributes:
        pairs: one or two corpora of sentence pairs with labels, and with the three splits; folders of data/.
        vectors: of words, a folder of data/. A word without one is left out.
        train: this many pairs of train from the beginning of each corpus; None for all.
        lower_case: whether words are looked up in lower case.
        spread: standard deviation of the vectors of the two marks.
        on_error: stop at a pair with a sentence of whose words none has a vector; or salvage: leave it out, and count
            it on the card.
    """

    pairs: Annotated[list[str], Field(min_length=1, max_length=2)]
    vectors: str
    train: Count | None = None
    lower_case: bool = True
    spread: Positive = 0.3
    on_error: OnError = "stop"


class Recipe(recipes.Recipe):
    """A model and its training.

    Attributes:
        kind: of the second loss; None for none.
        weight: lambda, of the second loss.
        forward_share: of lambda that goes to lambda1, the rest to lambda2.
        reduction: paper sums over both sentences, places and dimensions; authors takes the mean over places and
            dimensions of the hypothesis.
        reversed_targets: as in the authors' program, of bi_lm.
        units, hidden, nonlinear, padded_maximum: of `repline.systems.supervised_unsupervised.model.InferSent`.
        optimizer: adam, or sgd with InferSent's schedule.
    """

    kind: Kind | None = None
    weight: NotNegative = 1.0
    forward_share: Share = 0.5
    reduction: Reduction = "paper"
    reversed_targets: bool = False
    units: Count
    hidden: Count
    nonlinear: bool = False
    padded_maximum: bool = False
    optimizer: Literal["adam", "sgd"] = "adam"


class Variant(Recipe):
    """A recipe, and how often it is trained.

    Attributes:
        seeds: number of seeds, from the first of the system's on; None for all.
    """

    seeds: Count | None = None

    def record(self) -> dict[str, Json]:
        """What a training depends on and records apart from its data: all but the hardware and the number of seeds."""
        return self.model_dump(exclude={"hardware", "seeds"})


class Transfer(Protocol):
    """What the trained encoders are judged by.

    Attributes:
        sources: folders of data/ with tasks.
        tasks: their names; None for all that are there.
        variants: those whose encoders are judged; None for all.
    """

    sources: Annotated[list[str], Field(min_length=3, max_length=6)]
    tasks: list[str] | None
    variants: Annotated[list[str], Field(min_length=1)] | None


def _not_of_metrics(variant: str) -> str:
    if variant in (CONTROLS, COUNTS):
        raise ValueError(f"{variant} is a reserved name in the metrics; choose another name")
    return variant


class Settings(Section):
    """The section `supervised_unsupervised` of params.yaml.

    Attributes:
        corpora: by name.
        seeds: of the trainings.
        variants: by name; `training` in params.yaml holds what they share.
        transfer: how the trained encoders are judged, and on which tasks.
    """

    corpora: Annotated[dict[Name, Corpus], Field(min_length=1)]
    seeds: Seeds
    variants: Annotated[
        dict[Annotated[Name, AfterValidator(_not_of_metrics)], Variant], Field(min_length=1), Overlays("training")
    ]
    transfer: Transfer

    @model_validator(mode="after")
    def _transfers_what_is_trained(self) -> "Settings":
        for name in self.transfer.variants or ():
            if name not in self.variants:
                raise ValueError(f"transfer.variants: there is no variant {name!r}{nearest(name, self.variants)}")
        return self

    def seeds_for(self, variant: str) -> Seeds:
        """The seeds that a variant is trained with."""
        return self.seeds[: self.variants[variant].seeds]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "supervised_unsupervised", values)
