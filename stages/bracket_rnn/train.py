"""Train one run, once per seed: `python -m stages.bracket_rnn.train linear`.

data/<corpus>, data/corpora/optional_constituents -> data/models/bracket_rnn/<run>/seed-<s>/ (config.json,
model.safetensors, training.json).
"""

import sys
from pathlib import Path

from repline import parameters
from repline.systems.bracket_rnn.training import train_bracket_rnn
from stages import run
from stages.bracket_rnn.settings import check, named
from stages.seeds import models


def main() -> None:
    settings = check(parameters.read())
    values = named(settings, sys.argv[1:])
    corpora = Path("data") / settings["corpus"], "data/corpora/optional_constituents"
    with models(f"data/models/bracket_rnn/{values['name']}") as made:
        made.train(train_bracket_rnn, *corpora, seeds=settings["seeds"], **values)


if __name__ == "__main__":
    run(main)
