"""Train one model with every seed: `python -m stages.tpgn.train tpgn`.

data/<captions> -> data/models/tpgn/<model>/seed-<s>/{fixed,stopped}
"""

from pathlib import Path

from repline.corpora.captions.caption_corpus import read_captions
from repline.parameters import arguments
from repline.systems.tpgn.corpus import prepare
from repline.systems.tpgn.settings import read
from repline.systems.tpgn.training import train_generator
from stages import run
from stages.argument import argument
from stages.seeds import models
from stages.tpgn.places import MODELS


def main() -> None:
    settings = read()
    name = argument("the name of a model", settings.models)
    data = prepare(read_captions(Path("data") / settings.captions), settings.minimum_count, settings.longest)
    with models(MODELS / name) as made:
        made.train(
            train_generator,
            data,
            seeds=settings.seeds,
            network=settings.models[name],
            vectors=Path("data") / settings.vectors,
            name=name,
            **arguments(settings.training),
        )


if __name__ == "__main__":
    run(main)
