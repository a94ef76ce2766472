"""Affinities of the default graph -> data/vectors/wordnet-embeddings: the vectors of every word of the graph."""

from repline.systems.wordnet_embeddings import affinity_files
from repline.systems.wordnet_embeddings.settings import load
from repline.systems.wordnet_embeddings.training import train
from stages import run, threads
from stages.folders import VECTORS
from stages.wordnet_embeddings import prepare

FOLDER = VECTORS / "wordnet-embeddings"


def main() -> None:
    words, dimensions = train(FOLDER, affinity_files.load(prepare.FOLDER), load(), threads=threads())
    print(f"{FOLDER}: {words} words, {dimensions} dimensions")


if __name__ == "__main__":
    run(main)
