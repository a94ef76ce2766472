"""Accuracies and losses of the URN system on resampled strings and sentences: replicates of its evaluation.

A replicate draws the trained models (seeds) and the test items with replacement. An item is a whole string of the Dyck
language, with all its closing brackets, or a sentence. Counts are made once, per item; a resample weighs them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.bootstrap import REPLICATES, bootstrap
from repline.systems.urn.dyck import attractor_counts, nesting_depths


class ItemScores(NamedTuple):
    """What one model got right, item by item.

    Attributes:
        correct, trials: by the name of a grouping, [N, G]: correct answers and answers of each item in each group.
        loss: [N], nats per character of each item; None where nothing is predicted but a class.
    """

    correct: Mapping[str, np.ndarray]
    trials: Mapping[str, np.ndarray]
    loss: np.ndarray | None = None


def closing_scores(predicted: np.ndarray, ids: np.ndarray, loss: np.ndarray | None = None) -> ItemScores:
    """Scores of predicted closing brackets [N, L], for strings ids [N, L]; see `closing_brackets.predicted_closings`.

    Groups are the attractors (column 0 is none) and the depths (column 0 is depth 1).
    """
    closing = ids % 2 == 1
    groups = {"attractors": attractor_counts(ids), "depth": nesting_depths(ids) - 1}
    correct, trials = {}, {}
    for name, values in groups.items():
        columns = np.arange(values[closing].max(initial=0) + 1)
        members = (values[..., None] == columns) & closing[..., None]  # [N, L, G]
        trials[name] = members.sum(1)
        correct[name] = (members & (predicted == ids)[..., None]).sum(1)
    return ItemScores(correct, trials, loss)


def agreement_scores(predicted: np.ndarray, plural: np.ndarray, attractors: np.ndarray) -> ItemScores:
    """Scores of predicted numbers of verbs [N]; groups are the attractors (column 0 is none)."""
    trials = attractors[:, None] == np.arange(attractors.max(initial=0) + 1)
    return ItemScores({"attractors": trials & (predicted == plural)[:, None]}, {"attractors": trials})


def accuracy_replicates(models: Mapping[str, Sequence[ItemScores]], replicates: int = REPLICATES) -> list[Replicate]:
    """For each variant `accuracy`, `accuracy_by_<grouping>` and, where there is a loss, `validation_loss`.

    Args:
        models: the runs of each variant, all on the same items.
        replicates: how many.

    Returns:
        One mapping a replicate, by variant; None in a list stands for a group without a drawn item.
    """
    parts: list[dict[str, Metric]] = [{} for _ in range(replicates)]  # by variant
    for variant, runs in models.items():
        items = len(next(iter(runs[0].trials.values())))
        for part, measured in zip(parts, bootstrap(_measured, runs, items, replicates), strict=True):
            part[variant] = measured
    return [*parts]


def _measured(run: ItemScores, items: np.ndarray) -> Replicate:
    grouping = next(iter(run.trials))
    weights = np.bincount(items, minlength=len(run.trials[grouping])).astype(float)  # [N]
    result: dict[str, Metric] = {}
    for name in run.trials:
        correct, trials = weights @ run.correct[name], weights @ run.trials[name]
        result.setdefault("accuracy", float(correct.sum() / trials.sum()))
        result[f"accuracy_by_{name}"] = [
            float(share) if count else None
            for share, count in zip(correct / np.maximum(trials, 1), trials, strict=True)
        ]
    if run.loss is not None:
        result["validation_loss"] = float(weights @ run.loss / weights.sum())
    return result
