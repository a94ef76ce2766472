"""Numbers of a variant over its seeds, and their replicates over seeds and test items."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.replication.bootstrap import REPLICATES, drawn_items, drawn_runs
from repline.evaluation.replication.seed_means import mean_of_runs

Scores = Mapping[str, Mapping[str, Any]]  # by task, what `repline.evaluation.sentences.protocol.measure` gives
MORE = ("f1", "spearman", "pearson_by_pairs", "spearman_by_pairs")  # of a task, beside `value`
CLASSES = ("classification", "pair_classification")


def identifier(task: str) -> str:
    """The name of a task in metrics: `SICK-E` is sick_e."""
    return task.lower().replace("-", "_")


def task_numbers(seeds: Sequence[Scores]) -> dict[str, Any]:
    """By task: `value`, the mean over seeds, `seeds`, each of them, and other measures; `accuracy`, the mean over all
    tasks with classes, where there are such.
    """
    numbers = mean_of_runs([_of_seed(scores, [float(one["value"]) for one in scores.values()]) for scores in seeds])
    for task in seeds[0]:
        numbers[identifier(task)]["seeds"] = [float(scores[task]["value"]) for scores in seeds]
    return numbers


def task_replicates(seeds: Sequence[Scores]) -> list[dict[str, Any]]:
    """Replicates of `task_numbers`: seeds and test items are drawn anew, the same for all variants.

    Measures besides `value` are drawn by seeds alone.
    """
    many = len(next(iter(seeds[0].values()))["replicates"])
    found = []
    for replicate in range(many):
        drawn = drawn_runs(len(seeds), replicate)
        each = [_of_seed(seeds[run], [one["replicates"][replicate] for one in seeds[run].values()]) for run in drawn]
        found.append(mean_of_runs(each))
    return found


def held_out_numbers(seeds: Sequence[Mapping[str, NDArray]]) -> dict[str, Any]:
    """Of each measure of held-out pairs, [P] a seed, its mean over pairs and seeds; pairs without a known word count
    for none.
    """
    return mean_of_runs([{name: float(np.nanmean(values)) for name, values in seed.items()} for seed in seeds])


def held_out_replicates(seeds: Sequence[Mapping[str, NDArray]]) -> list[dict[str, Any]]:
    """Replicates of `held_out_numbers`: seeds and pairs are drawn anew, the same for all variants."""
    items = len(next(iter(seeds[0].values())))
    found = []
    for replicate in range(REPLICATES):
        chosen = drawn_items(items, replicate)
        each = [
            {name: float(np.nanmean(values[chosen])) for name, values in seeds[run].items()}
            for run in drawn_runs(len(seeds), replicate)
        ]
        found.append(mean_of_runs(each))
    return found


def _of_seed(scores: Scores, values: Sequence[float]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for (task, one), value in zip(scores.items(), values, strict=True):
        more = {name: float(one[name]) for name in MORE if name in one}
        found[identifier(task)] = {"value": float(value)} | more
    classes = [found[identifier(task)]["value"] for task, one in scores.items() if one["kind"] in CLASSES]
    return found | ({"accuracy": float(np.mean(classes))} if classes else {})
