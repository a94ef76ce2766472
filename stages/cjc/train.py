"""Train all variants of one method: `python -m stages.cjc.train glove` (or cbow, aligned).

data/corpora/cjc -> data/models/cjc/<method>/<variant>/seed-<s>: vectors of zh:word and ja:word in one space. A method's
variants share one process, as its loops are compiled anew in each.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from repline.files import new_folder
from repline.systems.cjc.aligned_fasttext import aligned, monolingual, seed_words
from repline.systems.cjc.cbow import train_cbow
from repline.systems.cjc.prepared import Prepared
from repline.systems.cjc.settings import METHODS, Aligned, Glove, Settings, read, variants
from repline.vectors.glove import train_glove
from repline.vectors.store import save
from stages import run
from stages.argument import argument
from stages.cjc.prepare import FOLDER

MODELS = Path("data/models/cjc")
Trained = Iterator[tuple[str, int, dict[str, Any], np.ndarray]]


def main() -> None:
    settings = read()
    method = argument("the name of a method", METHODS)
    prepared = Prepared(FOLDER)
    train = {"glove": _glove, "cbow": _cbow, "aligned": _aligned}[method]
    with new_folder(MODELS / method) as folder:
        for variant, seed, knobs, vectors in train(settings, prepared):
            save(
                folder / variant / f"seed-{seed}",
                prepared.words,
                vectors,
                counts=prepared.vocabulary.counts,
                name=f"cjc-{variant}",
                description=f"Words of {' and '.join(prepared.languages)} in one space ({method}, {variant})",
                licence="that of the parallel corpus",
                parameters={"method": method, "variant": variant, "seed": seed} | knobs,
                tools=["numba", "scipy"],
            )
            print(f"{variant}, seed {seed}", flush=True)


def _glove(settings: Settings, prepared: Prepared) -> Trained:
    counts = {shuffled: prepared.counts(shuffled) for shuffled in (False, True)}
    for variant, knobs in variants(settings, "glove").items():
        chosen = Glove(**{name: value for name, value in knobs.items() if name in Glove.model_fields})
        matrix = counts[chosen.shuffled].combined(**chosen.model_dump(exclude={"shuffled"}))
        rest = {name: value for name, value in knobs.items() if name not in Glove.model_fields}
        for seed in settings.seeds:
            x, y, _, _ = train_glove(matrix, seed=seed, **rest)
            yield variant, seed, knobs, x + y


def _cbow(settings: Settings, prepared: Prepared) -> Trained:
    data = *prepared.sides(), prepared.matches(), prepared.vocabulary.counts
    for variant, knobs in variants(settings, "cbow").items():
        for seed in settings.seeds:
            yield variant, seed, knobs, train_cbow(*data, window=settings.window, seed=seed, **knobs)


def _aligned(settings: Settings, prepared: Prepared) -> Trained:
    """fastText is trained once a seed, and aligned in each variant's way."""
    chosen = variants(settings, "aligned")
    corpora = [FOLDER / "first.parquet", FOLDER / "second.parquet"]
    trained: dict[str, list[np.ndarray]] = {}
    for variant, knobs in chosen.items():
        rest = {name: value for name, value in knobs.items() if name not in Aligned.model_fields}
        pairs = seed_words(knobs["pairs"], prepared.vocabulary, prepared.links(), prepared.dictionary, prepared.lexicon)
        for seed in settings.seeds:
            key = f"{seed} {sorted(rest.items())}"
            if key not in trained:
                trained[key] = monolingual(corpora, prepared.vocabulary, seed=seed, **rest)
            yield variant, seed, knobs | {"seed_pairs": len(pairs)}, aligned(*trained[key], pairs)


if __name__ == "__main__":
    run(main)
