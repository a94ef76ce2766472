"""Every network on a corpus, for every fold and seed: `python -m stages.lmtgru.train chat_made`.

data/corpora/classification/<texts> -> data/models/lmtgru/networks/<corpus>/<network>/<fold>/seed-<s>
"""

from functools import partial

from repline.evaluation.classification.training import train_network
from repline.parameters import arguments
from repline.systems.lmtgru.settings import read
from repline.systems.lmtgru.training import TimescaleRMSprop
from stages import run
from stages.argument import argument
from stages.lmtgru.folds import folds
from stages.lmtgru.places import NETWORKS
from stages.seeds import models


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    recipe = settings.recipe_of(name)
    knobs = {key: value for key, value in arguments(recipe).items() if key not in ("units", "filters")}
    with models(NETWORKS / name) as made:
        for fold, texts in folds(settings, name):
            for network in settings.corpora[name].networks:
                build, own = settings.network(network, name)
                made.train(
                    train_network,
                    texts,
                    seeds=settings.seeds(network, name),
                    into=f"{network}/{fold}",
                    build=build,
                    settings=own,
                    vectors=None,
                    optimizer=partial(TimescaleRMSprop, decay=recipe.beta2),
                    name=f"lmtgru-{name}-{network}-{fold}",
                    **knobs,
                )


if __name__ == "__main__":
    run(main)
