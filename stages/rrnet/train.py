"""Train one variant, once per seed: for the steps train_expressions, train_relations and train_language_model.

data/corpora -> data/models/rrnet/<task>-<variant>/seed-<s>/ (config.json, model.safetensors, training.json; on
expressions and relations one such folder after-<n> for every number n of epochs).
"""

import sys
from collections.abc import Callable
from pathlib import Path

from repline.errors import InputError
from repline.systems.rrnet.settings import corpus, trainings
from stages.seeds import models


def train(task: str, train_one: Callable[..., Path]) -> None:
    """Train the variant that the command line names.

    Args:
        train_one: of one seed: (corpus, folder, scratch, name, seed, threads, knobs) -> its checkpoints.

    Raises:
        InputError: there is no such variant, or a mistake in the parameters.
    """
    variants = trainings(task, train_one)
    if len(sys.argv) != 2 or sys.argv[1] not in variants:
        raise InputError(f"expected a variant, one of: {', '.join(variants)}")
    variant = sys.argv[1]
    own = variants[variant]
    seeds = own.pop("seeds")
    with models(f"data/models/rrnet/{task}-{variant}") as made:
        made.train(train_one, Path("data") / corpus(task), seeds=seeds, name=variant, **own)
