"""How well gaps are filled in every setting: the paper's measures on resampled scenes, and classes of errors."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from repline.evaluation.evaluations import Evaluation
from repline.evaluation.replication.bootstrap import bootstrap
from repline.systems.context_parser.completions import Completed
from repline.systems.context_parser.error_classes import error_shares
from repline.systems.context_parser.gap_measures import counts, measured, measures


def evaluate(completed: Completed) -> Evaluation:
    """The completions of one corpus, or of the predictions that the authors ship.

    Returns:
        metrics: by setting the measures, the share of candidates that were searched, classes of errors, and exact
        fillers by fold; `chance`, `gaps` and how many `candidates` there are.
    """
    scenes = measured(completed.sentences, completed.predicted)
    scores = scenes.of(np.arange(len(scenes.gaps)))
    for setting, predicted in completed.predicted.items():
        candidates = sum(completed.candidates[setting])
        scores[setting]["searched"] = sum(completed.searched[setting]) / candidates if candidates else None
        scores[setting]["errors"] = error_shares(completed.sentences, predicted)
        scores[setting]["efi_by_fold"] = fillers_by_fold(completed, setting)
    of_gaps = next(iter(completed.candidates.values()))
    scores["gaps"] = int(scenes.gaps.sum())
    scores["candidates"] = {"mean": float(np.mean(of_gaps)), "median": float(np.median(of_gaps)), "most": max(of_gaps)}
    replicates = bootstrap(lambda run, drawn: run.of(drawn), [scenes], items=len(scenes.gaps))
    return Evaluation(scores, replicates)


def fillers_by_fold(completed: Completed, setting: str) -> list[float | None]:
    """The exact fillers of each fold in percent; None for a fold without a prediction."""
    rows: dict[int, list[np.ndarray]] = {fold: [] for fold in completed.folds}
    predictions = completed.predicted[setting]
    for fold, sentence, prediction in zip(completed.folds, completed.sentences, predictions, strict=True):
        if prediction is not None:
            rows[fold].append(counts(sentence, prediction))
    return [measures(np.array(of_fold))["efi"] if of_fold else None for of_fold in rows.values()]


def headline(evaluation: Evaluation, settings: Iterable[str]) -> Evaluation:
    """The exact fillers of one corpus by setting."""

    def fillers(scores: Mapping[str, Any]) -> dict[str, float]:
        return {setting: scores[setting]["efi"] for setting in settings}

    return Evaluation(fillers(evaluation.metrics), [fillers(part) for part in evaluation.replicates])
