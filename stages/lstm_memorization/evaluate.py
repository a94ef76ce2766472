"""data/models/lstm_memorization, data/corpora/middle_token -> data/evaluation/lstm_memorization."""

import json
from pathlib import Path
from typing import Any

import torch

from repline.errors import InputError
from repline.evaluation.replication.wilson_interval import wilson
from repline.pretrained import pretrained
from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization import evaluation as memorization
from repline.systems.lstm_memorization import settings
from repline.systems.lstm_memorization.counting import StepRegression
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.systems.lstm_memorization.training import recall, targets, train_memorization
from stages import run
from stages.conclusion import conclude
from stages.lstm_memorization import figures, paths

REPEATED = ("early_test_accuracy", "take_off", "together_from", "dip")  # what claims name besides the test accuracy
EARLY = 12  # epochs, at which the small claims are judged
BLOCK = 500  # sequences at a time


def main() -> None:
    chosen = settings.load()
    training = settings.training(chosen, train_memorization)
    metrics: dict[str, Any] = {"runs": {}, "longest_solved": {}}
    alone: list[dict[str, Any]] = [{"runs": {}, "longest_solved": {}} for _ in chosen.seeds]
    for distribution in chosen.distributions:
        sizes = chosen.sizes_of(distribution)
        measured = {f"d{size}": by_length(distribution, size, chosen.lengths, training) for size in sizes}
        metrics["runs"][distribution] = {size: found for size, (found, _) in measured.items()}
        for seed, one in enumerate(alone):
            one["runs"][distribution] = {size: of_runs[seed] for size, (_, of_runs) in measured.items()}
        for one in (metrics, *alone):
            one["longest_solved"][distribution] = _longest(one["runs"][distribution], chosen.solved)
    metrics["random_level"] = 1 / middle_token.read_types(paths.CORPUS).num_rows
    distribution, size, length = chosen.counting.distribution, chosen.counting.size, chosen.counting.length
    counted = metrics["runs"].get(distribution, {}).get(f"d{size}", {}).get(f"n{length}", {})
    metrics["counting"] = {}
    if counted:
        test = torch.from_numpy(middle_token.read_test(paths.CORPUS, length))
        for seed, (one, run) in enumerate(zip(alone, _runs(distribution, size, length), strict=True)):
            model = _model(run, training)
            torch.manual_seed(seed)
            untrained = MiddleTokenLSTM(*model.embedding.shape)
            one["counting"] = counting(model, test) | {"untrained": counting(untrained, test)}
        metrics["counting"] = alone[counted["best_run"]]["counting"]
    conclude("lstm_memorization", metrics, figures.figures(metrics), figures.plots(metrics), alone)


def by_length(
    distribution: str, size: int, lengths: list[int], training: dict[str, Any]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What each length's best run (by its own validation) shows, and what every run alone shows: the replicates.

    Lengths that were not tried are left out.
    """
    result, alone = {}, list[dict[str, Any]]()
    for length in sorted(lengths):
        runs = _runs(distribution, size, length)
        if not runs:
            continue
        records = [json.loads((run / "training.json").read_text(encoding="utf-8")) for run in runs]
        validation = [max(epoch["validation_accuracy"] for epoch in record["history"]) for record in records]
        best = memorization.best(validation)
        test = torch.from_numpy(middle_token.read_test(paths.CORPUS, length))
        tested = [recall(_model(run, training), test, BLOCK)[0] for run in runs]
        dynamics = [_dynamics(record) for record in records]
        alone = alone or [{} for _ in runs]
        for one, accuracy, found in zip(alone, tested, dynamics, strict=True):
            one[f"n{length}"] = {"test_accuracy": accuracy} | {key: found[key] for key in REPEATED}
        result[f"n{length}"] = {
            "validation_accuracy": validation[best],
            "test_accuracy": tested[best],
            "test_interval": [float(end) for end in wilson(round(tested[best] * len(test)), len(test))],
            "best_run": best,
            "validation_accuracy_of_runs": validation,
            "test_accuracy_of_runs": tested,
            "take_off_lead_of_runs": [found["take_off"] and found["take_off"]["lead"] for found in dynamics],
        } | dynamics[best]
    if not result:
        folder = paths.experiment(distribution, size, min(lengths))
        raise InputError(f"{folder}: there is no trained model; run `python -m stages.lstm_memorization.train`")
    return result, alone


def counting(model: MiddleTokenLSTM, test: torch.Tensor) -> dict[str, Any]:
    """How well the state after each step of the test [S, n] tells the number of the step, and the two best units of c.

    `untrained` beside it is the same of a model with random weights: what a state tells without having learnt to.
    """
    length = test.shape[1]
    middle = middle_token.target(length)
    parts = {"all_steps": None, "to_the_middle": middle + 1}
    found = {state: {part: StepRegression(steps) for part, steps in parts.items()} for state in ("c", "h")}
    example = None
    for start in range(0, len(test), BLOCK):
        ids = test[start : start + BLOCK]
        states = dict(zip("hc", model.states(ids), strict=True))
        for state, regressions in found.items():
            for regression in regressions.values():
                regression.add(states[state].numpy())
        right = (model.decode(states["h"][:, -1]).argmax(-1) == targets(ids)).nonzero()
        if example is None and len(right):
            example = states["c"][right[0, 0]].numpy()  # [n, d]
    result: dict[str, Any] = {"length": length}
    for state, regressions in found.items():
        result[state] = {}
        for part, regression in regressions.items():
            units = regression.units()
            ranked = units.argsort(kind="stable")[::-1][:5]
            result[state][part] = {
                "whole": regression.whole(),
                "best": units[ranked].tolist(),
                "best_units": ranked.tolist(),
            }
    if example is not None:
        result["example"] = example[:, result["c"]["to_the_middle"]["best_units"][:2]].T.tolist()  # [2, n]
    return result


def _longest(by_size: dict[str, Any], solved: float) -> dict[str, int]:
    return {
        size: memorization.longest_solved(
            {int(length[1:]): found["test_accuracy"] for length, found in runs.items()}, solved
        )
        for size, runs in by_size.items()
    }


def _dynamics(record: dict[str, Any]) -> dict[str, Any]:
    history = record["history"]
    validation, test = ([epoch[f"{part}_accuracy"] for epoch in history] for part in ("validation", "test"))
    early = memorization.best(validation[:EARLY])
    epoch, dip = memorization.take_off(validation), memorization.deepest_dip(validation)
    batches = -(-record["sequences"]["training"] // record["sequences"]["in_a_batch"])
    return {
        "epochs": len(history),
        "steps": len(history) * batches,
        "steps_per_epoch": batches,
        "early_validation_accuracy": validation[early],
        "early_test_accuracy": test[early],
        "take_off": epoch and {"epoch": epoch, "lead": validation[epoch - 1] - test[epoch - 1]},
        "together_from": memorization.together_from(validation, test),
        "dip": dip and {"epoch": dip[0], "validation_accuracy": dip[1]},
        "history": {
            key: [one[key] for one in history]
            for key in ("train_loss", "validation_loss", "validation_accuracy", "test_accuracy", "learning_rate")
        },
    }


def _runs(distribution: str, size: int, length: int) -> list[Path]:
    folder = paths.experiment(distribution, size, length)
    return sorted(folder.glob("seed-*"), key=lambda run: int(run.name.removeprefix("seed-")))


def _model(run: Path, training: dict[str, Any]) -> MiddleTokenLSTM:
    model = pretrained(MiddleTokenLSTM, run, training)
    types = middle_token.read_types(paths.CORPUS).num_rows
    if len(model.embedding) != types:
        raise InputError(
            f"{run}: this model has {len(model.embedding):,} types, and {paths.CORPUS} has {types:,}; train it again"
        )
    return model


if __name__ == "__main__":
    run(main)
