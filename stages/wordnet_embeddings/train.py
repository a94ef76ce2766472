"""data/<lexicon> -> data/vectors/wordnet-embeddings: the vectors of every word of the graph, in closed form."""

from repline import parameters
from repline.vectors import store
from stages import run, threads
from stages.wordnet_embeddings import settings

FOLDER = "data/vectors/wordnet-embeddings"


def main() -> None:
    chosen, variants = settings.check(parameters.read())
    arguments = variants["default"]
    found = settings.affinities(chosen, settings.graph(chosen), arguments["affinities"], threads())
    print(f"{len(found.words)} words, {found.totals['affinities']} affinities", flush=True)
    vectors = settings.word_vectors(found, threads=threads(), **arguments["vectors"])
    source = settings.source(chosen)
    store.save(
        FOLDER,
        found.words,
        vectors,
        description="Word vectors from a lexical graph: decayed walks, positive PMI, principal components",
        licence=source["licence"],
        sources=[source],
        parameters=arguments["affinities"] | arguments["vectors"] | {"keep": chosen["keep"]},
        totals=found.totals,
        tools=["scipy"],
    )
    print(f"{FOLDER}: {vectors.shape[0]} words, {vectors.shape[1]} dimensions")


if __name__ == "__main__":
    run(main)
