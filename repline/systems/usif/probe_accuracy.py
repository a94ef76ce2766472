"""Scores of the trained probes on the test parts, and replicates of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from repline.evaluation.evaluations import Evaluation
from repline.evaluation.nested_measures import Metric
from repline.evaluation.replication.bootstrap import bootstrap
from repline.pretrained import pretrained
from repline.systems.usif.probe import SentenceProbe, expected_score
from repline.systems.usif.probe_tasks import Task, embedded
from repline.systems.usif.settings import VariantName
from repline.systems.usif.weighted_words import WeightedWords


def evaluate_task(task: Task, words: WeightedWords, models: Mapping[VariantName, Sequence[Path]], m: int) -> Evaluation:
    """Accuracy x 100, for relatedness Pearson's r x 100, on the test part, by variant; the mean over seeds.

    Next to the variants of a classification stands `majority`, the accuracy of the class that is commonest in training.
    Replicates are drawn seeds on drawn test items.

    Args:
        models: by variant, the folder of each seed's probe.
        m: common components.
    """
    gold = task.gold["test"]
    scores: dict[str, float] = {}
    replicates: dict[str, Sequence[Any]] = {}
    if not task.of_scores:
        scores["majority"] = 100 * float((gold == np.bincount(task.gold["train"]).argmax()).mean())
    for variant, folders in models.items():
        test = embedded(task, words, variant, m)["test"]
        predictions = [_predictions(folder, test, task.of_scores) for folder in folders]
        scores[variant] = float(
            np.mean([_score(seed_predictions, gold, task.of_scores) for seed_predictions in predictions])
        )

        def measure(predicted: np.ndarray, items: np.ndarray) -> dict[str, Metric]:
            return {"score": _score(predicted[items], gold[items], task.of_scores)}

        replicates[variant] = [replicate["score"] for replicate in bootstrap(measure, predictions, len(gold))]
    rows = [dict(zip(replicates, row, strict=True)) for row in zip(*replicates.values(), strict=True)]
    return Evaluation(scores, rows)


def _predictions(folder: Path, sentences: Sequence[torch.Tensor], as_scores: bool) -> np.ndarray:
    with torch.inference_mode():
        logits = pretrained(SentenceProbe, folder)(*sentences)
    return (expected_score(logits) if as_scores else logits.argmax(dim=1)).numpy()


def _score(predicted: np.ndarray, gold: np.ndarray, as_scores: bool) -> float | None:
    if not as_scores:
        return 100 * float((predicted == gold).mean())
    return 100 * float(np.corrcoef(predicted, gold)[0, 1]) if np.ptp(predicted) and np.ptp(gold) else None
