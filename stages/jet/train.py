"""Train one model: `python -m stages.jet.train full`.

data/corpora/jet/<terminology> -> data/models/jet/<model>/seed-<s>: vectors of words, terms and entities, each a folder
that `repline.vectors.store` reads, and the losses of the passes.
"""

from repline.files import new_folder
from repline.systems.jet.settings import load
from repline.systems.jet.training import train
from repline.training.run_folders import SEED_FOLDER
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, MODELS


def main() -> None:
    models = load().models
    name = argument("the name of a model", models)
    corpus = CORPORA / "jet" / models[name].terminology
    with new_folder(MODELS / "jet" / name) as partial:
        for seed in models[name].seeds:
            train(name, models[name], corpus, partial / f"{SEED_FOLDER}{seed}", seed=seed)


if __name__ == "__main__":
    run(main)
