"""Train one model: `python -m stages.jet.train full`.

data/corpora/jet/<terminology> -> data/models/jet/<model>/seed-<s>: vectors of words, terms and entities, each a folder
that `repline.vectors.store` reads, and the losses of the passes.
"""

from pathlib import Path
from typing import Any

from repline.cards import read_card
from repline.files import new_folder, write_json
from repline.parameters import arguments
from repline.systems.jet import corpus
from repline.systems.jet.settings import read
from repline.systems.jet.training import train
from repline.vectors.store import save
from stages import run
from stages.argument import argument
from stages.jet.prepare import FOLDER

MODELS = Path("data/models/jet")


def main() -> None:
    _, _, models = read()
    name = argument("the name of a model", models)
    chosen = models[name]
    text, card = corpus.read(FOLDER / chosen.terminology), read_card(FOLDER / chosen.terminology)
    knobs = arguments(chosen, of=train)
    columns = {"words": text.vocabulary["word"], "terms": text.terms["term"], "entities": text.entities["entity"]}
    counts = {"words": text.vocabulary["count"], "terms": text.terms["count"], "entities": text.entities["mentions"]}
    with new_folder(MODELS / name) as folder:
        for seed in chosen.seeds:
            trained = train(text, seed=seed, progress=_progress(seed), **knobs)
            for kind, names in columns.items():
                vectors = getattr(trained, kind)
                if len(vectors):
                    save(
                        folder / f"seed-{seed}" / kind,
                        names.to_pylist(),
                        vectors,
                        counts=counts[kind].to_numpy(),
                        name=f"jet-{name}-{kind}",
                        description=f"Vectors of {kind}, in one space with the others of this training",
                        licence=card["licence"],
                        sources=[{"corpus": card}],
                        parameters={"seed": seed, "terminology": chosen.terminology} | knobs,
                        tools=["numba"],
                    )
            write_json(folder / f"seed-{seed}" / "losses.json", trained.losses)


def _progress(seed: int) -> Any:
    def report(number: int, loss: float) -> None:
        print(f"seed {seed}, pass {number}: loss {loss:.4f}", flush=True)

    return report


if __name__ == "__main__":
    run(main)
