"""Inference, reconstruction and transfer of each variant: means over seeds, and replicates of them.

A replicate resamples seeds and the units of test pairs (`units_of_test_pairs`), the same ones for all variants.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Array, Metric
from repline.evaluation.replication.units import draws_of_units, units_of_pairs, units_of_part
from repline.evaluation.replication.weighted_draws import as_parts, mean_of_drawn_runs, mean_of_draws
from repline.evaluation.sentences.sentence_records import TaskResult
from repline.systems.supervised_unsupervised.corpus import Data, Split
from repline.systems.supervised_unsupervised.settings import CONTROLS
from repline.systems.supervised_unsupervised.state_probe import mean_errors
from repline.systems.supervised_unsupervised.training import MEASURED
from repline.systems.supervised_unsupervised.transfer import NUMBERS, Number, Scores
from repline.training.convergence import not_converged

ALL = "all"  # the test pairs of every source
UNTRAINED = ("untrained", "average")  # the controls of transfer


def evaluate(models: Mapping[str, Sequence[Path]], data: Data, transfer: Mapping[str, Sequence[Scores]]) -> Evaluation:
    """Accuracy on test, reconstruction and probe errors, and transfer of each variant, and of the controls.

    The keys of the metrics are the variants, each with `accuracy`, `held_out`, `probe` and `transfer`, and `controls`.

    Args:
        models: by variant, the folder of each seed's model.
        data: what they were trained on.
        transfer: of `repline.systems.supervised_unsupervised.transfer.measure_transfer`.

    Raises:
        InputError: a folder without measurements.
    """
    gold, units = data.numbers("test").numpy(), units_of_test_pairs(data.pairs["test"])
    metrics: Metrics = {}
    replicates: dict[str, dict[str, Array]] = {}
    for variant, folders in models.items():
        metrics[variant], replicates[variant] = of_variant(folders, data, units)
        if variant in transfer:
            metrics[variant]["transfer"], replicates[variant]["transfer"] = transfers(transfer[variant])
    means = {target: per_place([errors], units) for target, errors in mean_errors(data).items()}
    metrics[CONTROLS] = {"mean_vector": {target: point for target, (point, _) in means.items()}}
    replicates[CONTROLS] = {"mean_vector": {target: drawn for target, (_, drawn) in means.items()}}
    for control in UNTRAINED:
        point, drawn = transfers(transfer[control])
        metrics[CONTROLS][control], replicates[CONTROLS][control] = {"transfer": point}, {"transfer": drawn}
    metrics[CONTROLS]["most_frequent"] = float(np.mean(gold == np.bincount(data.numbers("train")).argmax()))
    return Evaluation(metrics, as_parts(replicates), not_converged=not_converged(models, "dev_accuracy"))


def units_of_test_pairs(test: Split) -> NDArray[np.int64]:
    """The units of the test pairs that are drawn together: [B, k], as `draws_of_units` takes them."""
    first, second = ([str(row) for row in side.tolist()] for side in (test.first, test.second))
    return units_of_pairs(test.groups, first, second)


def of_variant(
    folders: Sequence[Path], data: Data, units: NDArray[np.int64]
) -> tuple[dict[str, Metric], dict[str, Array]]:
    """Accuracy, errors and sizes of a variant's models, and their replicates; units [B, k] of the test pairs."""
    measured = [read_measured(folder) for folder in folders]
    trained = [json.loads((folder / "training.json").read_text(encoding="utf-8")) for folder in folders]
    labels, test = [seed_arrays["labels"] for seed_arrays in measured], data.pairs["test"]
    accuracy, drawn_accuracy = accuracies(labels, data.numbers("test").numpy(), test.sources, units)
    errors, drawn_errors = reconstructions(measured, units)
    metrics = errors | {
        "accuracy": accuracy,
        "dev_accuracy": float(np.mean([max(epoch["dev_accuracy"] for epoch in run["history"]) for run in trained])),
        "parameters": trained[0]["parameters"],
        "parameters_of_the_second_loss": trained[0]["parameters_of_the_second_loss"],
    }
    return metrics, drawn_errors | {"accuracy": drawn_accuracy}


def read_measured(folder: Path) -> dict[str, NDArray]:
    """The arrays of `training.measured` next to a model; InputError where there are none."""
    try:
        with np.load(folder / MEASURED, allow_pickle=False) as arrays:
            return dict(arrays)
    except FileNotFoundError:
        raise InputError(f"{folder / MEASURED}: there is no such file; run `dvc repro` for it") from None


def accuracies(
    predicted: Sequence[NDArray[np.integer]],
    gold: NDArray[np.integer],
    sources: Sequence[str],
    units: NDArray[np.int64],
) -> tuple[dict[str, Metric], dict[str, Array]]:
    """Accuracy on all test pairs and on the pairs of each source: a mean of seeds, and its replicates [R].

    Args:
        predicted: of each seed, labels [B]; gold: [B]; sources: of each pair; units: [B, k].
    """
    is_correct = np.stack([labels == gold for labels in predicted])  # [S, B]
    means, replicates = dict[str, Metric](), dict[str, Array]()
    for source in (ALL, *dict.fromkeys(sources)):
        pairs = np.array([source in (ALL, source_of_pair) for source_of_pair in sources])
        source_correct = is_correct[:, pairs]
        weights = draws_of_units(units_of_part(units, pairs))
        means[source] = float(source_correct.mean())
        replicates[source] = mean_of_drawn_runs(
            [mean_of_draws(seed_correct, weights) for seed_correct in source_correct]
        )
    return means, replicates


def per_place(errors: Sequence[NDArray[np.float64]], units: NDArray[np.int64]) -> tuple[float, NDArray[np.float64]]:
    """Squared error per target word: a mean of seeds, and its replicates [R], NaN where no pair is drawn.

    Args:
        errors: of each seed [B, 2], the sum of a pair's squared errors and its number of target words.
        units: of each pair [B, k].
    """
    weights = draws_of_units(units)
    drawn = []
    for seed_errors in errors:
        total, words = (weights @ seed_errors[:, column] for column in (0, 1))
        drawn.append(np.divide(total, words, out=np.full(len(weights), np.nan), where=words > 0))
    return float(
        np.mean([seed_errors[:, 0].sum() / seed_errors[:, 1].sum() for seed_errors in errors])
    ), mean_of_drawn_runs(drawn)


def reconstructions(
    measured: Sequence[Mapping[str, NDArray]], units: NDArray[np.int64]
) -> tuple[dict[str, Metric], dict[str, Array]]:
    """Squared errors per target word, as of `per_place`: `held_out` by term of the second loss, `probe` by target.

    Args:
        measured: of each seed, `repline.systems.supervised_unsupervised.training.measured`.
        units: of each test pair [B, k].
    """
    means: dict[str, dict[str, float]] = {}
    replicates: dict[str, dict[str, NDArray]] = {}
    for key in measured[0]:
        kind, _, name = key.partition(".")
        if name:
            point, drawn = per_place([seed_arrays[key] for seed_arrays in measured], units)
            means.setdefault(kind, {})[name], replicates.setdefault(kind, {})[name] = point, drawn
    return {**means}, {**replicates}


def transfers(runs: Sequence[Scores]) -> tuple[dict[str, Metric], dict[str, Array]]:
    """The value of each task and further numbers, `<task>_f1`: means of seeds, with their replicates [R].

    Args:
        runs: of each seed, `repline.systems.supervised_unsupervised.transfer.scores_on`.
    """
    means, replicates = dict[str, Metric](), dict[str, Array]()
    for task in runs[0]:
        name = task.replace("-", "_")
        for key in (number for number in NUMBERS if number in runs[0][task]):
            number = name if key == "value" else f"{name}_{key}"
            means[number] = float(np.mean([run[task][key] for run in runs]))
            replicates[number] = mean_of_drawn_runs([_replicates(run[task], key) for run in runs])
    return dict(sorted(means.items())), replicates


def _replicates(result: TaskResult, key: Number) -> list[float]:
    return result["replicates"] if key == "value" else result["further_replicates"][key]
