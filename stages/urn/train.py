"""Train one variant on one task, once per seed: `python -m stages.urn.train dyck turn`.

data/corpora/<task> -> data/models/urn/<task>-<variant>/seed-<s>/ (config.json, model.safetensors, training.json).
"""

import sys
from pathlib import Path

from repline.errors import InputError
from repline.systems.urn.settings import trainings
from repline.systems.urn.training import train_agreement, train_dyck
from stages import run
from stages.seeds import models

TASKS = {"dyck": train_dyck, "agreement": train_agreement}


def main() -> None:
    every = {task: trainings(task, train) for task, train in TASKS.items()}
    known = [f"{task} {variant}" for task, (_, variants) in every.items() for variant in variants]
    if " ".join(sys.argv[1:]) not in known:
        raise InputError(f"expected a task and a variant, one of: {', '.join(known)}")
    task, variant = sys.argv[1:]
    seeds, variants = every[task]
    knobs = variants[variant]
    model = knobs.pop("model")
    with models(f"data/models/urn/{task}-{variant}") as made:
        made.train(TASKS[task], Path("data/corpora") / task, seeds=seeds, variant=model, **knobs)


if __name__ == "__main__":
    run(main)
