"""The vectors of the tests' words by one variant: `python -m stages.wordnet_embeddings.variant no_pmi`.

data/<lexicon>, data/models/wordnet_embeddings_affinities, data/vectors/wordnet-embeddings
-> data/models/wordnet_embeddings/VARIANT. What a variant shares with the default graph is taken from there: its
affinities, or, where it only has fewer principal components, the first columns of its vectors.
"""

from pathlib import Path

import numpy as np

from repline.evaluation.word_vectors.embedding import Embedding
from repline.parameters import arguments
from repline.systems.wordnet_embeddings import affinity_files
from repline.systems.wordnet_embeddings.settings import DEFAULT, Knobs, read
from repline.systems.wordnet_embeddings.training import Affinities, fewer_components, word_affinities, word_vectors
from repline.vectors import store
from stages import run, threads
from stages.argument import argument
from stages.wordnet_embeddings import affinities, inputs, train

FOLDER = Path("data/models/wordnet_embeddings")


def main() -> None:
    settings, variants = read()
    default = variants.pop(DEFAULT)
    name = argument("the name of a variant", variants)
    source = inputs.source(settings)
    knobs = variants[name]
    if arguments(knobs, of=word_affinities) == arguments(default, of=word_affinities):
        found = affinity_files.load(affinities.FOLDER)
    else:
        found = inputs.affinities(settings, inputs.graph(settings), knobs, threads())
    vectors = fitted(found, knobs, default)
    asked = dict.fromkeys(word for pairs, _ in inputs.tests(settings).values() for pair in pairs for word in pair)
    rows = Embedding(found.words, vectors).rows(asked)
    rows = sorted(set(rows[rows >= 0].tolist()))
    store.save(
        FOLDER / name,
        [found.words[row] for row in rows],
        vectors[rows],
        description="A variant of the WordNet embeddings, for the words of the tests alone",
        licence=source["licence"],
        sources=[source],
        parameters=arguments(knobs) | {"keep": settings.keep},
        totals={f"graph_{key}": value for key, value in found.totals.items()},
        tools=["scipy"],
    )
    print(f"{name}: {len(found.words)} words, {vectors.shape[1]} dimensions", flush=True)


def fitted(found: Affinities, knobs: Knobs, default: Knobs) -> np.ndarray:
    """The vectors of all words of the graph [n, d]."""
    own = arguments(knobs)
    if fewer_components(own, arguments(default)):
        return np.ascontiguousarray(store.load_matrix(train.FOLDER)[:, : own["dimensions"]])
    return word_vectors(found, threads=threads(), **arguments(knobs, of=word_vectors))


if __name__ == "__main__":
    run(main)
