"""Compose vectors of unseen words by a trained model: `python -m stages.morph2vec.export morph2vec-unseen`.

data/models/morph2vec/<model>, a file of words -> data/vectors/morph2vec-unseen
"""

from repline.systems.morph2vec.export import export
from repline.systems.morph2vec.settings import load
from repline.training.run import runs
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA, MODELS, VECTORS


def main() -> None:
    settings = load()
    name = argument("the name of an export", settings.exports)
    export_settings = settings.exports[name]
    model = settings.models[export_settings.model]
    counts = export(
        VECTORS / name,
        DATA / export_settings.words,
        runs(MODELS / "morph2vec" / export_settings.model)[0],
        CORPORA / "morph2vec" / model.space,
        settings.spaces[model.space],
        name=export_settings.model,
        parameters=model.record(),
    )["counts"]
    print(f"{VECTORS / name}: {counts['words']:,} of {counts['asked']:,} words have known morphs")


if __name__ == "__main__":
    run(main)
