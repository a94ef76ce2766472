"""Train one model: `python -m stages.chinese_hybrid.train cowe`.

data/corpora/chinese_hybrid -> data/models/chinese_hybrid/<model>/seed-<s>, word vectors with the losses of the passes,
and the first of these as data/vectors/chinese_hybrid-<model>.
"""

from pathlib import Path
from typing import Any

from repline.cards import read_card
from repline.files import new_folder, write_json
from repline.lexicons.hanzi.components import read_components
from repline.parameters import arguments
from repline.systems.chinese_hybrid import corpus
from repline.systems.chinese_hybrid.model import word_vectors
from repline.systems.chinese_hybrid.settings import read
from repline.systems.chinese_hybrid.subwords import subwords_of
from repline.systems.chinese_hybrid.training import train
from repline.vectors.store import save
from stages import run
from stages.argument import argument
from stages.chinese_hybrid.prepare import FOLDER


def main() -> None:
    settings, models = read()
    name = argument("the name of a model", models)
    chosen = models[name]
    words, sentences, vocabulary = corpus.read(FOLDER)
    components = read_components(Path("data") / settings.components.place, steps=settings.components.steps)
    names = vocabulary.column("word").to_pylist()
    subwords = subwords_of(names, components, vocabulary.column("entity").to_numpy())
    card, counts = read_card(FOLDER), vocabulary.column("count").to_numpy()
    with new_folder(Path("data/models/chinese_hybrid") / name) as folder:
        for seed in chosen.seeds:
            knobs = arguments(chosen, of=train)
            trained = train(words, sentences, counts, subwords, chosen, seed=seed, progress=_progress(seed), **knobs)
            described: dict[str, Any] = {
                "counts": counts,
                "name": name,
                "description": f"Vectors of Chinese words by {name}",
                "licence": card["licence"],
                "sources": [{"corpus": card}, {"name": settings.components.place}],
                "parameters": {
                    "language": card["parameters"]["language"],
                    "bags": chosen.bags,
                    "consistency": chosen.consistency,
                    "components_steps": settings.components.steps,
                    "seed": seed,
                }
                | knobs,
                "totals": {"characters": len(subwords.characters), "components": len(subwords.components)},
                "tools": ["numba"],
            }
            vectors = word_vectors(chosen, trained.inputs, subwords)
            save(folder / f"seed-{seed}", names, vectors, **described)
            write_json(folder / f"seed-{seed}" / "losses.json", trained.losses)
            if seed == chosen.seeds[0]:
                save(f"data/vectors/chinese_hybrid-{name}", names, vectors, **described)


def _progress(seed: int) -> Any:
    def report(number: int, loss: float) -> None:
        print(f"seed {seed}, pass {number}: loss of the first bag {loss:.4f}", flush=True)

    return report


if __name__ == "__main__":
    run(main)
