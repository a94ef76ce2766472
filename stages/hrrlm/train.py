"""Train one variant at word level, once per seed: `python -m stages.hrrlm.train isometric`.

data/corpora/<corpus> -> data/models/hrrlm/<variant>/seed-<s>/ (config.json, model.safetensors, training.json).
"""

from repline.systems.hrrlm import settings
from repline.systems.hrrlm.training import train_words
from stages import run
from stages.argument import argument
from stages.hrrlm import paths
from stages.seeds import models


def main() -> None:
    chosen = settings.load()
    variants = settings.words(chosen, train_words)
    variant = argument("a variant of hrrlm.words", variants)
    corpus = paths.view(chosen)
    with models(paths.MODELS / variant) as made:
        made.train(train_words, corpus, seeds=chosen.seeds, variant=variant, **variants[variant])


if __name__ == "__main__":
    run(main)
