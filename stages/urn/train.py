"""Train one variant on one task, once per seed: `python -m stages.urn.train dyck turn`.

data/corpora/<task> -> data/models/urn/<task>-<variant>/seed-<s>/ (config.json, model.safetensors, training.json).
"""

import sys
from pathlib import Path
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.systems.urn.training import train_agreement, train_dyck
from stages import run
from stages.seeds import models

TASKS = {"dyck": (train_dyck, ("turn", "full", "arbitrary", "lstm")), "agreement": (train_agreement, ("turn", "lstm"))}


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[1] not in TASKS or sys.argv[2] not in TASKS[sys.argv[1]][1]:
        known = ", ".join(f"{task} {variant}" for task, (_, variants) in TASKS.items() for variant in variants)
        raise InputError(f"expected a task and a variant, one of: {known}")
    task, variant = sys.argv[1:]
    train, _ = TASKS[task]
    values = parameters.read()
    settings = check(values)[task, variant]
    seeds = parameters.section(values, "urn.seeds")
    with models(f"data/models/urn/{task}-{variant}") as made:
        made.train(train, Path("data/corpora") / task, seeds=seeds, variant=variant, **settings)


def check(values: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """The parameters of every task and variant; InputError on any mistake in the section `urn`."""
    section = parameters.section(values, "urn")
    for key in section:
        if key not in ("seeds", *TASKS):
            raise InputError(f"params.yaml: unknown parameter 'urn.{key}'{parameters.nearest(key, ['seeds', *TASKS])}")
    settings = {}
    for task, (train, variants) in TASKS.items():
        for variant in variants:
            own = parameters.variant(parameters.section(values, f"urn.{task}"), variant, variants, f"urn.{task}")
            own = parameters.bind(train, own, f"urn.{task}", given=("variant", "seed", "threads"))
            settings[task, variant] = own
    return settings


if __name__ == "__main__":
    run(main)
