"""Training with the learning rate that does best on dev: the same rule for every encoder and task."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np

from repline.errors import InputError
from repline.evaluation.nested_measures import Metric
from repline.files import write_json
from repline.systems.visual_characters.settings import Tuning
from repline.training.history import History
from repline.training.run import Run, runs

RECORD, TUNING = "training.json", "tuning.json"


def tune(train: Callable[[float, Run], None], tuning: Tuning, run: Callable[..., Run]) -> None:
    """Train the first seed with every learning rate, and the others with that of the lowest dev loss.

    Writes `seed-<s>` for each seed, tuning.json (rate -> lowest dev loss, None where it was not finite; and the chosen
    rate), and of the other rates `rate-<r>/training.json`.

    Args:
        train: trains one model with a learning rate.
        tuning: the seeds and the learning rates.
        run: (seed, *folders) -> a run whose model goes into these folders, as `stages.runs.Runs.run`.

    Raises:
        InputError: no learning rate gives a finite loss.
    """
    first, *further_seeds = tuning.seeds
    best_run = run(first)
    losses: dict[float, float | None] = {}  # in the order of the rates, None where the loss was not finite
    tried: dict[float, tuple[float, Path]] = {}
    for rate in tuning.learning_rates:
        this_run = run(first, f"rate-{rate}")
        try:
            train(rate, this_run)
        except FloatingPointError:
            losses[rate] = None
            continue
        losses[rate] = loss = min(epoch["validation_loss"] for epoch in _history(this_run.folder))
        tried[rate] = loss, this_run.folder
    if not tried:
        raise InputError(
            f"{best_run.name}: no learning rate of {tuning.learning_rates} gives a finite loss; take smaller ones"
        )
    best = min(tried, key=lambda rate: tried[rate][0])
    for rate, (_, folder) in tried.items():
        if rate == best:
            folder.rename(best_run.folder)
            folder.parent.rmdir()
        else:
            (folder / RECORD).rename(folder.parent / RECORD)
            shutil.rmtree(folder)
    for seed in further_seeds:
        train(best, run(seed))
    by_rate = {str(rate): loss for rate, loss in losses.items()}
    write_json(best_run.folder.parent / TUNING, {"losses": by_rate, "learning_rate": best})
    print(f"{best_run.name}: learning rate {best} of {', '.join(map(str, tuning.learning_rates))}", flush=True)


def tuned_losses(folder: str | Path) -> dict[str, Metric]:
    """The chosen learning rate, the dev loss of all of them, and the train loss of the best epoch.

    Args:
        folder: of the runs that `tune` trained.
    """
    tuning = json.loads((Path(folder) / TUNING).read_text(encoding="utf-8"))
    losses = [min(_history(run), key=lambda epoch: epoch["validation_loss"])["train_loss"] for run in runs(folder)]
    rates = [float(rate) for rate in tuning["losses"]]
    return {
        "learning_rate": tuning["learning_rate"],
        "learning_rate_at_the_edge": len(rates) > 1 and tuning["learning_rate"] in (min(rates), max(rates)),
        "dev_loss_of_rates": tuning["losses"],
        "train_loss": float(np.mean(losses)),
    }


def _history(folder: Path) -> History:
    return json.loads((folder / RECORD).read_text(encoding="utf-8"))["history"]
