"""The section `urn` of params.yaml."""

from collections.abc import Callable, Mapping
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.parameters import Section, Seeds

Knobs = dict[str, Any]  # of a function, whose signature says what they are


class Corpora(Section):
    """How the two corpora are made: the knobs of `dyck.generate`, and of `agreement.corpus.extract`."""

    dyck: Knobs
    agreement: Knobs


class Source(Section):
    """What the agreement corpus is made of, a folder of data/, beside the knobs of its `extract`."""

    source: str


class DyckVariants(Section):
    """The parameters that each model of the Dyck language overrides."""

    turn: Knobs
    full: Knobs
    arbitrary: Knobs
    lstm: Knobs


class AgreementVariants(Section):
    """The parameters that each model of agreement overrides."""

    turn: Knobs
    lstm: Knobs


class Dyck(Section, extra="allow"):
    """Other keys are parameters of `training.train_dyck`, shared by all variants."""

    variants: DyckVariants


class Agreement(Section, extra="allow"):
    """Other keys are parameters of `training.train_agreement`, shared by all variants."""

    variants: AgreementVariants


class Settings(Section):
    """The section `urn`."""

    seeds: Seeds
    corpora: Corpora
    dyck: Dyck
    agreement: Agreement


def trainings(
    task: str, train: Callable, values: Mapping[str, Any] | None = None
) -> tuple[list[int], dict[str, Knobs]]:
    """The seeds, and the arguments of `train` for every variant of a task, dyck or agreement.

    Raises:
        InputError: a mistake in the section, but for the knobs of the other task and of the corpora.
    """
    settings = parameters.load(Settings, "urn", values)
    section: Dyck | Agreement = getattr(settings, task)
    model = parameters.signature(train, given=("variant", "seed", "threads"))
    shared, own = section.model_extra or {}, dict(section.variants)
    found = parameters.variants(model, shared, own, f"urn.{task}")
    for name, knobs in found.items():
        if (knobs.get("k") or 0) > knobs["n"]:
            place = f"urn.{task}.variants.{name}.k"
            raise InputError(f"params.yaml: {place} should be at most n, which is {knobs['n']}, found {knobs['k']}")
    return settings.seeds, found
