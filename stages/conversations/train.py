"""Every seed of a variant: `python -m stages.conversations.train NAME`.

data/corpora/conversations, pairs of inference -> data/models/conversations/<variant>/seed-<s>
"""

from pathlib import Path

from repline.systems.conversations.corpus import read_inference, read_turns
from repline.systems.conversations.settings import read, recipes
from repline.systems.conversations.training import Data, train_model
from stages import run
from stages.argument import argument
from stages.conversations.places import CORPORA, MODELS
from stages.seeds import models


def main() -> None:
    settings = read()
    variants = recipes(settings)
    name = argument("the name of a variant", variants)
    turns = read_turns({source: CORPORA / source for source in settings.sources})
    data = Data(turns, read_inference(Path("data") / settings.inference), Path("data/vectors") / settings.vectors)
    with models(MODELS / name) as made:
        made.train(train_model, data, seeds=settings.seeds, name=name, **variants[name])


if __name__ == "__main__":
    run(main)
