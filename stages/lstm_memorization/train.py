"""Train on one distribution, for every size, length and seed: `python -m stages.lstm_memorization.train language`.

data/corpora/middle_token -> data/models/lstm_memorization/<distribution>/d<size>-n<length>/seed-<s>/.
"""

import json
import sys
from pathlib import Path
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.systems.lstm_memorization.evaluation import best
from repline.systems.lstm_memorization.training import train_memorization
from stages import run
from stages.lstm_memorization import settings
from stages.seeds import models


def main() -> None:
    section = check(parameters.read())
    if len(sys.argv) != 2 or sys.argv[1] not in section["distributions"]:
        raise InputError(f"expected a distribution, one of: {', '.join(section['distributions'])}")
    distribution = sys.argv[1]
    with models(settings.MODELS / distribution) as made:
        for size in settings.sizes(section, distribution):
            for length in sorted(section["lengths"]):
                name = settings.experiment(distribution, size, length).name
                one = {"distribution": distribution, "length": length, "size": size} | section["training"]
                made.train(train_memorization, settings.CORPUS, seeds=section["seeds"], into=name, **one)
                if section["stop_when_unsolved"] and _accuracy(made.folder / name) < section["solved"]:
                    print(f"{distribution}, d = {size}: {length} is not solved, longer ones are not tried", flush=True)
                    break


def check(values: dict[str, Any]) -> dict[str, Any]:
    """The section `lstm_memorization`; InputError on any mistake in it."""
    section = settings.check(values)
    given = ("distribution", "length", "size", "seed", "threads")
    parameters.bind(train_memorization, section["training"], "lstm_memorization.training", given=given)
    return section


def _accuracy(runs: Path) -> float:
    """On the test, of the run and the epoch with the best validation accuracy."""
    tops = []
    for path in sorted(runs.glob("*/training.json")):
        history = json.loads(path.read_text(encoding="utf-8"))["history"]
        tops += [history[best([epoch["validation_accuracy"] for epoch in history])]]
    return tops[best([epoch["validation_accuracy"] for epoch in tops])]["test_accuracy"]


if __name__ == "__main__":
    run(main)
