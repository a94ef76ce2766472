"""Every variant and seed on a corpus: `python -m stages.definition_nli.train NAME`.

data/corpora/definition_nli/<corpus> -> data/models/definition_nli/<corpus>/<variant>/seed-<s>
"""

from repline.systems.definition_nli.corpus import read_data
from repline.systems.definition_nli.settings import read, recipes
from repline.systems.definition_nli.training import train_model
from stages import run
from stages.argument import argument
from stages.definition_nli.places import CORPORA, MODELS
from stages.seeds import models


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    data = read_data(CORPORA / name)
    with models(MODELS / name) as made:
        for variant, knobs in recipes(settings).items():
            made.train(train_model, data, seeds=settings.seeds, into=variant, name=f"{name}-{variant}", **knobs)


if __name__ == "__main__":
    run(main)
