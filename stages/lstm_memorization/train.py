"""Train on one distribution, for every size, length and seed: `python -m stages.lstm_memorization.train language`.

data/corpora/middle_token -> data/models/lstm_memorization/<distribution>/d<size>-n<length>/seed-<s>/.
"""

import json
from pathlib import Path

from repline.systems.lstm_memorization import settings
from repline.systems.lstm_memorization.evaluation import best
from repline.systems.lstm_memorization.training import train_memorization
from stages import run
from stages.argument import argument
from stages.lstm_memorization import paths
from stages.seeds import models


def main() -> None:
    chosen = settings.load()
    knobs = settings.training(chosen, train_memorization)
    distribution = argument("a distribution", chosen.distributions)
    with models(paths.MODELS / distribution) as made:
        for size in chosen.sizes_of(distribution):
            for length in sorted(chosen.lengths):
                name = paths.experiment(distribution, size, length).name
                one = {"distribution": distribution, "length": length, "size": size} | knobs
                made.train(train_memorization, paths.CORPUS, seeds=chosen.seeds, into=name, **one)
                if chosen.stop_when_unsolved and _accuracy(made.folder / name) < chosen.solved:
                    print(f"{distribution}, d = {size}: {length} is not solved, longer ones are not tried", flush=True)
                    break


def _accuracy(runs: Path) -> float:
    """On the test, of the run and the epoch with the best validation accuracy."""
    tops = []
    for path in sorted(runs.glob("*/training.json")):
        history = json.loads(path.read_text(encoding="utf-8"))["history"]
        tops += [history[best([epoch["validation_accuracy"] for epoch in history])]]
    return tops[best([epoch["validation_accuracy"] for epoch in tops])]["test_accuracy"]


if __name__ == "__main__":
    run(main)
