"""Train one variant at word level, once per seed: `python -m stages.hrrlm.train isometric`.

data/corpora/<corpus> -> data/models/hrrlm/<variant>/seed-<s>/ (config.json, model.safetensors, training.json).
"""

import shutil
import sys

from repline.errors import InputError
from repline.files import new_folder
from repline.systems.hrrlm import settings
from repline.systems.hrrlm.training import train_words
from stages import run, threads
from stages.hrrlm import places


def main() -> None:
    chosen = settings.load()
    variants = settings.words(chosen, train_words)
    if len(sys.argv) != 2 or sys.argv[1] not in variants:
        raise InputError(f"expected a variant of hrrlm.words, one of: {', '.join(variants)}")
    variant = sys.argv[1]
    corpus = places.view(chosen)
    checkpoints = []
    with new_folder(places.MODELS / variant) as folder:
        for seed in chosen.seeds:
            checkpoints += [
                train_words(
                    corpus,
                    folder / f"seed-{seed}",
                    "data/scratch",
                    variant=variant,
                    seed=seed,
                    threads=threads(),
                    **variants[variant],
                )
            ]
    for scratch in checkpoints:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    run(main)
