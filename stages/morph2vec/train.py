"""Train one model, once per seed: `python -m stages.morph2vec.train bilstm`.

data/corpora/morph2vec/<space> -> data/models/morph2vec/bilstm/seed-<s>
"""

from repline.systems.morph2vec.corpus import read_words
from repline.systems.morph2vec.settings import load
from repline.systems.morph2vec.training import train
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    name = argument("the name of a model", settings.models)
    model = settings.models[name]
    words = read_words(CORPORA / "morph2vec" / model.space)
    with trained_runs("morph2vec", name) as runs:
        for seed in settings.seeds_for(name):
            train(model.recipe, words, runs.run(seed))


if __name__ == "__main__":
    run(main)
