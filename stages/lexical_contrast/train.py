"""Specialise the vectors with one configuration: `python -m stages.lexical_contrast.train syn_hyp1_ant`.

data/corpora/lexical_contrast -> data/models/lexical_contrast/<configuration>/seed-<s>, and the first of these as
data/vectors/lexical_contrast-<configuration>.
"""

import shutil

from repline.files import new_folder
from repline.systems.lexical_contrast.corpus import read_space
from repline.systems.lexical_contrast.settings import load
from repline.systems.lexical_contrast.training import public_name, seeds_of, train
from repline.training.run_folders import SEED_FOLDER, runs
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, MODELS, VECTORS


def main() -> None:
    settings = load()
    name = argument("the name of a configuration", settings.configurations)
    space = read_space(CORPORA / "lexical_contrast", settings)
    models = MODELS / "lexical_contrast" / name
    with new_folder(models) as partial:
        for seed in seeds_of(settings.configurations[name], settings):
            train(name, space, settings, partial / f"{SEED_FOLDER}{seed}", seed=seed)
    with new_folder(VECTORS / public_name(name)) as partial:
        shutil.copytree(runs(models)[0], partial, dirs_exist_ok=True)


if __name__ == "__main__":
    run(main)
