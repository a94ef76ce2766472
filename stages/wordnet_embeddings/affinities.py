"""data/<lexicon> -> data/models/wordnet_embeddings_affinities: the words of the default graph and their affinities."""

from repline.systems.wordnet_embeddings import affinity_files
from repline.systems.wordnet_embeddings.settings import DEFAULT, read
from stages import run, threads
from stages.wordnet_embeddings import inputs

FOLDER = "data/models/wordnet_embeddings_affinities"


def main() -> None:
    settings, variants = read()
    found = inputs.affinities(settings, inputs.graph(settings), variants[DEFAULT], threads())
    affinity_files.save(FOLDER, found)
    print(f"{FOLDER}: {len(found.words)} words, {found.totals['affinities']} affinities")


if __name__ == "__main__":
    run(main)
