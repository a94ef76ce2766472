"""Train one variant on one task, once per seed: `python -m stages.rrnet.train expressions supervised`.

data/corpora -> data/models/rrnet/<task>-<variant>/seed-<s>/ (config.json, model.safetensors, training.json; on
expressions and relations one such folder after-<n> for every number n of epochs).
"""

import sys
from pathlib import Path

from repline import parameters
from repline.errors import InputError
from stages import run
from stages.rrnet.settings import TASKS, check, corpus
from stages.seeds import models


def main() -> None:
    values = parameters.read()
    settings = check(values)
    if len(sys.argv) != 3 or tuple(sys.argv[1:]) not in settings:
        known = ", ".join(f"{task} {variant}" for task, variant in settings)
        raise InputError(f"expected a task and a variant, one of: {known}")
    task, variant = sys.argv[1:]
    own = settings[task, variant]
    seeds = own.pop("seeds")
    with models(f"data/models/rrnet/{task}-{variant}") as made:
        made.train(TASKS[task], Path("data") / corpus(values, task), seeds=seeds, name=variant, **own)


if __name__ == "__main__":
    run(main)
