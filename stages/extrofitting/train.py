"""Fit one lexicon into the vectors: `python -m stages.extrofitting.train wordnet_all`.

data/models/extrofitting/start, data/<place of the lexicon> -> data/models/extrofitting/<lexicon>/<vectors>: the
vectors by three methods, and the neighbours as rows of the vectors. The first of extrofitting.vectors also as
data/vectors/extrofitting-<lexicon>{,-edges,-retrofitting}.
"""

import shutil

from repline.files import new_folder
from repline.systems.extrofitting.settings import START, load
from repline.systems.extrofitting.training import METHODS, public_name, train
from stages import run
from stages.argument import argument
from stages.folders import MODELS, VECTORS


def main() -> None:
    settings = load()
    lexicon = argument("the name of a lexicon", settings.lexicons)
    models = MODELS / "extrofitting"
    with new_folder(models / lexicon) as partial:
        for vectors in settings.vectors:
            train(lexicon, models / START / vectors, settings, partial / vectors)
            print(f"{vectors}, {lexicon}: {', '.join(METHODS)}", flush=True)
    for method in METHODS:
        with new_folder(VECTORS / public_name(lexicon, method)) as partial:
            shutil.copytree(models / lexicon / next(iter(settings.vectors)) / method, partial, dirs_exist_ok=True)


if __name__ == "__main__":
    run(main)
