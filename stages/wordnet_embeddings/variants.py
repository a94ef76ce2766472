"""data/<lexicon> -> data/models/wordnet_embeddings/VARIANT: the vectors of the tests' words, for every variant.

Variants that differ only in what follows the walks share them.
"""

import json
from pathlib import Path

from repline.evaluation.word_vectors.embedding import Embedding
from repline.files import new_folder
from repline.parameters import arguments
from repline.systems.wordnet_embeddings.settings import DEFAULT, read
from repline.systems.wordnet_embeddings.training import word_affinities, word_vectors
from repline.vectors import store
from stages import run, threads
from stages.wordnet_embeddings import inputs

FOLDER = Path("data/models/wordnet_embeddings")


def main() -> None:
    settings, variants = read()
    variants.pop(DEFAULT)
    tables, source = inputs.graph(settings), inputs.source(settings)
    asked = dict.fromkeys(word for pairs, _ in inputs.tests(settings).values() for pair in pairs for word in pair)
    groups: dict[str, list[str]] = {}
    for name, knobs in variants.items():
        groups.setdefault(json.dumps(arguments(knobs, of=word_affinities), sort_keys=True), []).append(name)
    with new_folder(FOLDER) as partial:
        for names in groups.values():
            found = inputs.affinities(settings, tables, variants[names[0]], threads())
            for name in names:
                vectors = word_vectors(found, threads=threads(), **arguments(variants[name], of=word_vectors))
                rows = Embedding(found.words, vectors).rows(asked)
                rows = sorted(set(rows[rows >= 0].tolist()))
                store.save(
                    partial / name,
                    [found.words[row] for row in rows],
                    vectors[rows],
                    description="A variant of the WordNet embeddings, for the words of the tests alone",
                    licence=source["licence"],
                    sources=[source],
                    parameters=arguments(variants[name]) | {"keep": settings.keep},
                    totals={f"graph_{key}": value for key, value in found.totals.items()},
                    tools=["scipy"],
                )
                print(f"{name}: {len(found.words)} words, {vectors.shape[1]} dimensions", flush=True)


if __name__ == "__main__":
    run(main)
