"""data/<lexicon> -> data/models/wordnet_embeddings/VARIANT: the vectors of the tests' words, for every variant.

Variants that differ only in what follows the walks share them.
"""

import json
from pathlib import Path

from repline import parameters
from repline.evaluation.word_vectors.embedding import Embedding
from repline.files import new_folder
from repline.vectors import store
from stages import run, threads
from stages.wordnet_embeddings import settings

FOLDER = Path("data/models/wordnet_embeddings")


def main() -> None:
    chosen, variants = settings.check(parameters.read())
    variants.pop("default")
    tables, source = settings.graph(chosen), settings.source(chosen)
    asked = dict.fromkeys(word for pairs, _ in settings.tests(chosen).values() for pair in pairs for word in pair)
    groups: dict[str, list[str]] = {}
    for name, arguments in variants.items():
        groups.setdefault(json.dumps(arguments["affinities"], sort_keys=True), []).append(name)
    with new_folder(FOLDER) as partial:
        for names in groups.values():
            found = settings.affinities(chosen, tables, variants[names[0]]["affinities"], threads())
            for name in names:
                vectors = settings.word_vectors(found, threads=threads(), **variants[name]["vectors"])
                rows = Embedding(found.words, vectors).rows(asked)
                rows = sorted(set(rows[rows >= 0].tolist()))
                store.save(
                    partial / name,
                    [found.words[row] for row in rows],
                    vectors[rows],
                    description="A variant of the WordNet embeddings, for the words of the tests alone",
                    licence=source["licence"],
                    sources=[source],
                    parameters=variants[name]["affinities"] | variants[name]["vectors"] | {"keep": chosen["keep"]},
                    totals={f"graph_{key}": value for key, value in found.totals.items()},
                    tools=["scipy"],
                )
                print(f"{name}: {len(found.words)} words, {vectors.shape[1]} dimensions", flush=True)


if __name__ == "__main__":
    run(main)
