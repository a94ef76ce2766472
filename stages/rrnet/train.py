"""Train one variant, once per seed: for the steps train_expressions, train_relations and train_language_model.

data/corpora -> data/models/rrnet/<task>-<variant>/seed-<s>/ (config.json, model.safetensors, training.json; on
expressions and relations one such folder after-<n> for every number n of epochs).
"""

from collections.abc import Callable
from pathlib import Path

from repline.systems.rrnet.settings import corpus, trainings
from stages.argument import argument
from stages.seeds import models


def train(task: str, train_one: Callable[..., Path]) -> None:
    """Train the variant that the command line names.

    Args:
        train_one: of one seed: (corpus, folder, scratch, name, seed, threads, knobs) -> its checkpoints.

    Raises:
        InputError: there is no such variant, or a mistake in the parameters.
    """
    variants = trainings(task, train_one)
    variant = argument("a variant", variants)
    own = variants[variant]
    seeds = own.pop("seeds")
    with models(f"data/models/rrnet/{task}-{variant}") as made:
        made.train(train_one, Path("data") / corpus(task), seeds=seeds, name=variant, **own)
