"""Train one run, once per seed: `python -m stages.bracket_rnn.train linear`.

data/<corpus>, data/corpora/optional_constituents -> data/models/bracket_rnn/<run>/seed-<s>/ (config.json,
model.safetensors, training.json).
"""

import shutil
import sys
from pathlib import Path

from repline import parameters
from repline.files import new_folder
from repline.systems.bracket_rnn.training import train_bracket_rnn
from stages import run, threads
from stages.bracket_rnn.settings import check, named


def main() -> None:
    settings = check(parameters.read())
    values = named(settings, sys.argv[1:])
    checkpoints = []
    with new_folder(f"data/models/bracket_rnn/{values['name']}") as folder:
        for seed in settings["seeds"]:
            checkpoints += [
                train_bracket_rnn(
                    Path("data") / settings["corpus"],
                    "data/corpora/optional_constituents",
                    folder / f"seed-{seed}",
                    "data/scratch",
                    seed=seed,
                    threads=threads(),
                    **values,
                )
            ]
    for scratch in checkpoints:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    run(main)
