"""Train one variant at word level, once per seed: `python -m stages.hrrlm.train isometric`.

data/corpora/<corpus> -> data/models/hrrlm/<variant>/seed-<s>/ (config.json, model.safetensors, training.json).
"""

import sys

from repline.errors import InputError
from repline.systems.hrrlm.training import train_words
from stages import run
from stages.hrrlm import settings
from stages.seeds import models


def main() -> None:
    chosen = settings.read()
    if len(sys.argv) != 2 or sys.argv[1] not in chosen.words:
        raise InputError(f"expected a variant of hrrlm.words, one of: {', '.join(chosen.words)}")
    variant = sys.argv[1]
    corpus = chosen.view()
    with models(settings.MODELS / variant) as made:
        made.train(train_words, corpus, seeds=chosen.seeds, variant=variant, **chosen.words[variant])


if __name__ == "__main__":
    run(main)
