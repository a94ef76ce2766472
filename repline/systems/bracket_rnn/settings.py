"""The section `bracket_rnn` of params.yaml."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from repline import parameters
from repline.parameters import Section, Seeds

Knobs = dict[str, Any]  # of a function, whose signature says what they are


class Scheme(Section):
    """Which relations of an annotation scheme are optional, and the exceptions to them."""

    optional: list[str]
    required: list[str]


class Constituents(Section, extra="allow"):
    """How optional constituents are found; all other keys are parameters of `corpus.write`."""

    scheme: str
    schemes: dict[str, Scheme]

    @model_validator(mode="after")
    def _known(self) -> "Constituents":
        if self.scheme not in self.schemes:
            near = parameters.nearest(self.scheme, self.schemes)
            raise ValueError(f"scheme should name one of schemes, found {self.scheme!r}{near}")
        return self


class Settings(Section, extra="allow"):
    """The section `bracket_rnn`; other keys are parameters of `training.train_bracket_rnn`, shared by all runs."""

    corpus: str  # a folder of data/
    constituents: Constituents
    seeds: Seeds
    runs: Annotated[dict[str, Knobs], Field(min_length=1)]


def load(values: Mapping[str, Any] | None = None) -> Settings:
    """The section; InputError on a mistake in it. `constituents` and `trainings` check the rest."""
    return parameters.load(Settings, "bracket_rnn", values)


def constituents(settings: Settings, write: Callable) -> Knobs:
    """The arguments of `corpus.write`, with the relations of the chosen scheme; InputError on any mistake."""
    own = settings.constituents
    relations = own.schemes[own.scheme]
    at = "bracket_rnn.constituents"
    return parameters.bind(write, own.model_extra or {}, at, given=tuple(Scheme.model_fields)) | dict(relations)


def trainings(settings: Settings, train: Callable) -> dict[str, Knobs]:
    """The arguments of `train` for every run, its `name` included; InputError on any mistake."""
    model = parameters.signature(train, given=("name", "seed", "threads"))
    runs = parameters.variants(model, settings.model_extra or {}, settings.runs, "bracket_rnn", "runs")
    return {name: {"name": name, **own} for name, own in runs.items()}
