"""The section `rrnet` of params.yaml: tasks, their variants, and what each training gets."""

from collections.abc import Callable
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.systems.rrnet.language_model_training import train_rrnet_language_model
from repline.systems.rrnet.training import train_expressions, train_relations

TASKS: dict[str, Callable[..., Any]] = {
    "expressions": train_expressions,
    "relations": train_relations,
    "language_model": train_rrnet_language_model,
}
CORPORA = {"expressions": "math_expressions", "relations": "propositional_logic"}
GIVEN = ("name", "seed", "threads")


def corpus(values: dict[str, Any], task: str) -> str:
    """The folder of data/ that a task reads."""
    if task in CORPORA:
        return f"corpora/{CORPORA[task]}"
    place = parameters.section(values, "rrnet.language_model").get("corpus")
    if not isinstance(place, str) or not place:
        raise InputError(
            f"params.yaml: rrnet.language_model.corpus should be a folder of data/ with a corpus, found {place!r}"
        )
    return place


def check(values: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """What the training of every (task, variant) gets, with its `seeds`; InputError on any mistake in the section."""
    section = parameters.section(values, "rrnet")
    for key in section:
        if key not in TASKS:
            raise InputError(f"params.yaml: unknown parameter 'rrnet.{key}'{parameters.nearest(key, TASKS)}")
    settings = {}
    for task, train in TASKS.items():
        shared = dict(parameters.section(values, f"rrnet.{task}"))
        variants = shared.pop("variants", None)
        if task == "language_model":
            shared.pop("corpus", None)
            corpus(values, task)
        if not isinstance(variants, list) or not variants:
            raise InputError(f"params.yaml: rrnet.{task}.variants should be a list of variants, found {variants!r}")
        for number, own in enumerate(variants):
            at = f"rrnet.{task}.variants[{number}]"
            if not isinstance(own, dict) or not isinstance(own.get("name"), str):
                raise InputError(f"params.yaml: {at} should be a variant with a name, found {own!r}")
            name = own["name"]
            if (task, name) in settings:
                raise InputError(f"params.yaml: {at}: there are two variants named {name!r}")
            merged = shared | {key: value for key, value in own.items() if key != "name"}
            seeds = merged.pop("seeds", None)
            if not isinstance(seeds, list) or not seeds or not all(isinstance(seed, int) for seed in seeds):
                raise InputError(f"params.yaml: rrnet.{task}.seeds should be a list of numbers, found {seeds!r}")
            bound = parameters.bind(train, merged, f"rrnet.{task}", given=GIVEN)
            settings[task, name] = bound | {"seeds": seeds}
    return settings
