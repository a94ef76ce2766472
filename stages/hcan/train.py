"""Word vectors and every network on a corpus, for every seed: `python -m stages.hcan.train chapters`.

data/corpora/classification/<texts> -> data/models/hcan/networks/<corpus>/{vectors, <network>/seed-<s>}
"""

from repline.evaluation.classification.classified_texts import read_texts
from repline.evaluation.classification.training import train_network
from repline.parameters import arguments
from repline.systems.hcan.settings import read
from repline.vectors.training import word2vec
from stages import run
from stages.argument import argument
from stages.hcan.places import NETWORKS, TEXTS, VECTORS
from stages.seeds import models


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    corpus, recipe = settings.corpora[name], settings.recipe_of(name)
    folder, vectors = TEXTS / corpus.texts, None
    texts = read_texts(folder)
    knobs = {key: value for key, value in arguments(recipe).items() if key not in ("size", "heads")}
    with models(NETWORKS / name) as made:
        if corpus.vectors == "train":
            vectors = made.folder / VECTORS
            sizes = {"dimensions": recipe.dimensions, "minimum_count": recipe.minimum_count}
            counts = word2vec(folder, vectors, **sizes, **arguments(settings.vectors))["counts"]
            print(f"vectors of {counts['words']:,} words", flush=True)
        for network in corpus.networks:
            build, own, random = settings.network(network, name)
            made.train(
                train_network,
                texts,
                seeds=settings.seeds(network, name),
                into=network,
                build=build,
                settings=own,
                vectors=None if random else vectors,
                name=f"hcan-{name}-{network}",
                **knobs,
            )


if __name__ == "__main__":
    run(main)
