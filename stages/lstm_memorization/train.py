"""Train on one distribution, for every size, length and seed: `python -m stages.lstm_memorization.train language`.

data/corpora/middle_token -> data/models/lstm_memorization/<distribution>/d<size>-n<length>/seed-<s>/.
"""

import json
import shutil
import sys
from pathlib import Path

from repline.errors import InputError
from repline.files import new_folder
from repline.systems.lstm_memorization import settings
from repline.systems.lstm_memorization.evaluation import best
from repline.systems.lstm_memorization.training import train_memorization
from stages import run, threads
from stages.lstm_memorization import places


def main() -> None:
    chosen = settings.load()
    knobs = settings.training(chosen, train_memorization)
    if len(sys.argv) != 2 or sys.argv[1] not in chosen.distributions:
        raise InputError(f"expected a distribution, one of: {', '.join(chosen.distributions)}")
    distribution = sys.argv[1]
    checkpoints = []
    with new_folder(places.MODELS / distribution) as folder:
        for size in chosen.sizes_of(distribution):
            for length in sorted(chosen.lengths):
                runs = folder / places.experiment(distribution, size, length).name
                for seed in chosen.seeds:
                    checkpoints += [
                        train_memorization(
                            places.CORPUS,
                            runs / f"seed-{seed}",
                            "data/scratch",
                            distribution=distribution,
                            length=length,
                            size=size,
                            seed=seed,
                            threads=threads(),
                            **knobs,
                        )
                    ]
                if chosen.stop_when_unsolved and _accuracy(runs) < chosen.solved:
                    print(f"{distribution}, d = {size}: {length} is not solved, longer ones are not tried", flush=True)
                    break
    for scratch in checkpoints:
        shutil.rmtree(scratch, ignore_errors=True)


def _accuracy(runs: Path) -> float:
    """On the test, of the run and the epoch with the best validation accuracy."""
    tops = []
    for path in sorted(runs.glob("*/training.json")):
        history = json.loads(path.read_text(encoding="utf-8"))["history"]
        tops += [history[best([epoch["validation_accuracy"] for epoch in history])]]
    return tops[best([epoch["validation_accuracy"] for epoch in tops])]["test_accuracy"]


if __name__ == "__main__":
    run(main)
