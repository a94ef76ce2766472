"""Train one variant on one task, once per seed: `python -m stages.urn.train dyck turn`.

data/corpora/<task> -> data/models/urn/<task>-<variant>/seed-<s>/ (config.json, model.safetensors, training.json).
"""

import sys

from repline.cards import read_card, splitter_of
from repline.errors import InputError
from repline.systems.urn import dyck
from repline.systems.urn.agreement.examples import read_examples, read_vocabulary
from repline.systems.urn.settings import load
from repline.systems.urn.training import train_agreement, train_dyck
from stages import run
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    variants = {"dyck": list(settings.dyck.variants), "agreement": list(settings.agreement.variants)}
    trainings = [f"{task} {variant}" for task, task_variants in variants.items() for variant in task_variants]
    if " ".join(sys.argv[1:]) not in trainings:
        raise InputError(f"expected a task and a variant, one of: {', '.join(trainings)}")
    task, variant = sys.argv[1:]
    with trained_runs("urn", f"{task}-{variant}") as runs:
        if task == "dyck":
            strings = dyck.read(CORPORA / "dyck", "train")
            for seed in settings.seeds:
                train_dyck(settings.dyck.variants[variant], strings, runs.run(seed))
        else:
            examples = read_examples(CORPORA / "agreement", "train")
            words = [row["word"] for row in read_vocabulary(CORPORA / "agreement")]
            splitter = splitter_of(read_card(CORPORA / "agreement"))
            for seed in settings.seeds:
                train_agreement(settings.agreement.variants[variant], examples, words, splitter, runs.run(seed))


if __name__ == "__main__":
    run(main)
