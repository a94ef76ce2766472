"""Affinities of the default graph -> data/vectors/wordnet-embeddings: the vectors of every word of the graph."""

from repline.parameters import arguments
from repline.systems.wordnet_embeddings import affinity_files
from repline.systems.wordnet_embeddings.settings import DEFAULT, read
from repline.systems.wordnet_embeddings.training import word_vectors
from repline.vectors import store
from stages import run, threads
from stages.wordnet_embeddings import affinities, inputs

FOLDER = "data/vectors/wordnet-embeddings"


def main() -> None:
    settings, variants = read()
    knobs = variants[DEFAULT]
    found = affinity_files.load(affinities.FOLDER)
    vectors = word_vectors(found, threads=threads(), **arguments(knobs, of=word_vectors))
    source = inputs.source(settings)
    store.save(
        FOLDER,
        found.words,
        vectors,
        description="Word vectors from a lexical graph: decayed walks, positive PMI, principal components",
        licence=source["licence"],
        sources=[source],
        parameters=arguments(knobs) | {"keep": settings.keep},
        totals=found.totals,
        tools=["scipy"],
    )
    print(f"{FOLDER}: {vectors.shape[0]} words, {vectors.shape[1]} dimensions")


if __name__ == "__main__":
    run(main)
