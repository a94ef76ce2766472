"""data/<lexicon> -> data/models/wordnet_embeddings_affinities: the words of the default graph and their affinities."""

from repline.systems.wordnet_embeddings import affinity_files
from repline.systems.wordnet_embeddings.settings import load
from repline.systems.wordnet_embeddings.training import graph_affinities
from stages import run, threads
from stages.folders import MODELS

FOLDER = MODELS / "wordnet_embeddings_affinities"


def main() -> None:
    settings = load()
    affinities = graph_affinities(settings.default, settings, threads=threads())
    affinity_files.save(FOLDER, affinities)
    print(f"{FOLDER}: {len(affinities.words)} words, {affinities.totals['affinities']} affinities")


if __name__ == "__main__":
    run(main)
