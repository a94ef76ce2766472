"""Train one model, once a seed: `python -m stages.morph2vec.train bilstm`.

data/corpora/morph2vec/<space> -> data/models/morph2vec/bilstm/seed-<s>
"""

import sys

import numpy as np

from repline.parameters import part
from repline.systems.morph2vec.composition import read_words
from repline.systems.morph2vec.settings import models_of, read
from repline.systems.morph2vec.training import Recipe, train_morph2vec
from stages import run
from stages.morph2vec.inputs import CORPORA, MODELS, named
from stages.seeds import models


def main() -> None:
    settings = read()
    every = models_of(settings)
    name = named(sys.argv[1:], every, "a model")
    model = every[name]
    words = read_words(CORPORA / model.space)
    known = np.flatnonzero(~words.held_out)
    segmented = [words.candidates[row] for row in known]
    recipe = part(Recipe, model) | {"hardware": model.hardware.model_dump(exclude_unset=True)}
    with models(MODELS / name) as made:
        made.train(
            train_morph2vec, segmented, words.vectors[known], seeds=model.seeds or settings.seeds, name=name, **recipe
        )


if __name__ == "__main__":
    run(main)
