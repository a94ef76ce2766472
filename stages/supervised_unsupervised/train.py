"""Every variant and seed on a corpus: `python -m stages.supervised_unsupervised.train NAME`.

data/corpora/supervised_unsupervised/<corpus> -> data/models/supervised_unsupervised/<corpus>/<variant>/seed-<s>
"""

from repline.cards import read_card
from repline.systems.supervised_unsupervised.corpus import read_data
from repline.systems.supervised_unsupervised.settings import read, recipes, seeds_of
from repline.systems.supervised_unsupervised.training import train_model
from stages import run
from stages.argument import argument
from stages.seeds import models
from stages.supervised_unsupervised.places import CORPORA, MODELS


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    data, made_with = read_data(CORPORA / name), read_card(CORPORA / name)["parameters"]
    words = {"words": made_with["vectors"], "lower_case": made_with["lower_case"], "spread": made_with["spread"]}
    with models(MODELS / name) as made:
        for variant, knobs in recipes(settings).items():
            of_run = {"name": f"{name}-{variant}"} | words | knobs
            made.train(train_model, data, seeds=seeds_of(settings, variant), into=variant, **of_run)


if __name__ == "__main__":
    run(main)
