"""Every network on a corpus, for every seed: `python -m stages.complex_embedding.train reviews`.

data/corpora/classification/<texts> -> data/models/complex_embedding/networks/<corpus>/<network>/seed-<s>
"""

from pathlib import Path

from repline.corpora.labelled.classified_texts import read_texts
from repline.evaluation.classification.training import train_network
from repline.parameters import arguments
from repline.systems.complex_embedding.settings import own_training, read
from stages import run
from stages.argument import argument
from stages.complex_embedding.places import NETWORKS, TEXTS
from stages.seeds import models


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    corpus, recipe = settings.corpora[name], settings.recipe_of(name)
    texts = read_texts(TEXTS / corpus.texts)
    with models(NETWORKS / name) as made:
        for network in corpus.networks:
            build, own = settings.network(network)
            made.train(
                train_network,
                texts,
                seeds=settings.seeds(network, name),
                into=network,
                build=build,
                settings=own,
                vectors=Path("data/vectors") / settings.vectors if settings.given(network) else None,
                name=f"complex_embedding-{name}-{network}",
                **own_training(build),
                **arguments(recipe),
            )


if __name__ == "__main__":
    run(main)
