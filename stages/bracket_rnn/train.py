"""Train one run, once per seed: `python -m stages.bracket_rnn.train linear`.

data/<corpus>, data/corpora/optional_constituents -> data/models/bracket_rnn/<run>/seed-<s>/ (config.json,
model.safetensors, training.json).
"""

from pathlib import Path

from repline.systems.bracket_rnn import settings
from repline.systems.bracket_rnn.training import train_bracket_rnn
from stages import run
from stages.argument import argument
from stages.seeds import models


def main() -> None:
    chosen = settings.load()
    runs = settings.trainings(chosen, train_bracket_rnn)
    name = argument("the name of a run", runs)
    corpora = Path("data") / chosen.corpus, "data/corpora/optional_constituents"
    with models(f"data/models/bracket_rnn/{name}") as made:
        made.train(train_bracket_rnn, *corpora, seeds=chosen.seeds, **runs[name])


if __name__ == "__main__":
    run(main)
