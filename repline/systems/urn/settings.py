"""The section `urn` of params.yaml."""

from collections.abc import Callable, Mapping
from typing import Any, get_args, get_type_hints

from pydantic import field_validator

from repline import parameters
from repline.errors import InputError
from repline.parameters import Section, Seeds, nearest

Knobs = dict[str, Any]  # of a function, whose signature says what they are


class Corpora(Section):
    """How the two corpora are made: the knobs of `dyck.generate`, and of `agreement.corpus.extract`."""

    dyck: Knobs
    agreement: Knobs


class Source(Section):
    """What the agreement corpus is made of, a folder of data/, beside the knobs of its `extract`."""

    source: str


class Variant(Section):
    """What a variant sets beside the knobs of its training."""

    model: str | None = None  # None: the one that the variant is named after


class Variants(Section, extra="allow"):
    """Other keys are parameters of the task's training in `training.py`, shared by all variants."""

    variants: dict[str, Knobs]  # the parameters that each overrides

    @field_validator("variants")
    @classmethod
    def turn_is_one(cls, variants: dict[str, Knobs]) -> dict[str, Knobs]:
        if "turn" not in variants:
            raise ValueError("a variant `turn` is needed, whose matrices are inspected")
        return variants


class Settings(Section):
    """The section `urn`."""

    seeds: Seeds
    corpora: Corpora
    dyck: Variants
    agreement: Variants


def trainings(
    task: str, train: Callable, values: Mapping[str, Any] | None = None
) -> tuple[list[int], dict[str, Knobs]]:
    """The seeds, and for every variant of a task, dyck or agreement, its `model` and the arguments of `train`.

    Raises:
        InputError: a mistake in the section, but for the knobs of the other task and of the corpora.
    """
    settings = parameters.load(Settings, "urn", values)
    section: Variants = getattr(settings, task)
    model = parameters.signature(train, given=("variant", "seed", "threads"), base=Variant)
    known = get_args(get_type_hints(train)["variant"])
    found = parameters.variants(model, section.model_extra or {}, section.variants, f"urn.{task}")
    for name, knobs in found.items():
        place = f"urn.{task}.variants.{name}"
        if knobs.setdefault("model", name) not in known:
            near = nearest(knobs["model"], known)
            raise InputError(f"params.yaml: {place}.model should be one of {', '.join(known)}{near}")
        if (knobs.get("k") or 0) > knobs["n"]:
            raise InputError(f"params.yaml: {place}.k should be at most n, which is {knobs['n']}, found {knobs['k']}")
    return settings.seeds, found
