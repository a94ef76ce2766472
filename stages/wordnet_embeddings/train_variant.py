"""Train the tests' words by one variant: `python -m stages.wordnet_embeddings.train_variant no_pmi`.

data/<lexicon>, data/models/wordnet_embeddings_affinities, data/vectors/wordnet-embeddings
-> data/models/wordnet_embeddings/VARIANT
"""

from repline.systems.wordnet_embeddings import affinity_files
from repline.systems.wordnet_embeddings.settings import load
from repline.systems.wordnet_embeddings.training import train_variant
from stages import run, threads
from stages.argument import argument
from stages.folders import MODELS
from stages.wordnet_embeddings import prepare, train


def main() -> None:
    settings = load()
    name = argument("the name of a variant", settings.variants)
    affinities = affinity_files.load(prepare.FOLDER)
    folder = MODELS / "wordnet_embeddings" / name
    words, dimensions = train_variant(folder, name, settings, affinities, train.FOLDER, threads=threads())
    print(f"{name}: {words} words, {dimensions} dimensions")


if __name__ == "__main__":
    run(main)
