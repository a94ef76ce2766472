"""Train one variant at word level, once per seed: `python -m stages.hrrlm.train isometric`.

data/corpora/<corpus> -> data/models/hrrlm/<variant>/seed-<s>/ (config.json, model.safetensors, training.json).
"""

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.systems.hrrlm.settings import load
from repline.systems.hrrlm.training import train_words
from stages import run
from stages.argument import argument
from stages.folders import DATA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    variant = argument("a variant of hrrlm.words", settings.words.variants)
    corpus = LanguageModelingCorpus.load(DATA / settings.corpus, settings.vocabulary)
    with trained_runs("hrrlm", variant) as runs:
        for seed in settings.seeds_of(variant):
            train_words(settings.words.variants[variant], corpus, runs.run(seed))


if __name__ == "__main__":
    run(main)
