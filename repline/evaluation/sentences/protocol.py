"""One task for one encoder: a number, its interval over resampled items, and what was learnt on the way."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from repline.errors import InputError
from repline.evaluation.correlation import pearson, spearman
from repline.evaluation.replication.weighted_draws import draws, mean_of_draws, pearson_of_draws
from repline.evaluation.sentences.recipes import Protocol
from repline.evaluation.sentences.sentence_cache import SentenceVectors
from repline.evaluation.sentences.sentence_records import FileResult, TaskResult
from repline.evaluation.sentences.sentence_tasks import Task
from repline.evaluation.sentences.task_answers import classes, features, scores, similarities, vectors_of

MEASURES = {
    "classification": "accuracy",
    "pair_classification": "accuracy",
    "relatedness": "Pearson",
    "similarity": "Pearson",
}


def measure(
    task: Task,
    vectors: SentenceVectors,
    protocol: Protocol = Protocol(),  # noqa: B008 (frozen)
) -> TaskResult:
    """Judge the vectors on one task.

    Returns:
        {"kind", "measure", "value" (a share or a correlation), "low", "high" (95 % over resampled items), "replicates"
        (the value of each resample), "items", "dimensions", "zero_vectors" (sentences whose vector is zero, as where no
        word is known)}; for classes "penalties" and, with a positive class, "f1";
        for similarity "spearman", "pearson_of_angles", "pearson_by_pairs" (weighted by the size of the files) and
        "files".

    Raises:
        InputError: vectors that are not finite, naming the sentence, or zero for all sentences; too few sentences for
            the folds.
    """
    try:
        if task.kind == "similarity":
            return _similarity(task, vectors)
        known_vectors = vectors_of(task.sentences(), vectors)
        parts = {name: features(part, known_vectors) for name, part in task.parts.items()}
        if task.kind == "relatedness":
            result = _relatedness(task, parts, protocol.penalties, protocol.seed)
        else:
            result = _classification(task, parts, protocol)
    except InputError as error:
        raise InputError(f"{task.name}: {error}") from None
    return result | _described(known_vectors)


def _described(known_words: Mapping[str, NDArray]) -> TaskResult:
    zeros = sum(not vector.any() for vector in known_words.values())
    return {"dimensions": len(next(iter(known_words.values()))), "zero_vectors": zeros}


def _classification(task: Task, parts: Mapping[str, NDArray], protocol: Protocol) -> TaskResult:
    predicted, gold, penalties = classes(task, parts, protocol)
    is_correct = predicted == gold
    result = _judged(task, float(is_correct.mean()), mean_of_draws(is_correct, draws(len(gold))))
    result["penalties"] = penalties
    if task.positive is not None:
        positive = task.classes.index(task.positive)
        result["f1"] = float(f1_score(gold == positive, predicted == positive))
    return result


def _relatedness(task: Task, parts: Mapping[str, NDArray], penalties: Sequence[float], seed: int) -> TaskResult:
    predicted, gold, chosen = scores(task, parts, penalties, seed)
    result = _judged(task, _or_zero(pearson, predicted, gold), pearson_of_draws(predicted, gold, draws(len(gold))))
    return result | {"spearman": _or_zero(spearman, predicted, gold), "penalties": chosen}


def _similarity(task: Task, vectors: SentenceVectors) -> TaskResult:
    files: dict[str, FileResult] = {}
    resampled = []
    everything: dict[str, NDArray[np.float32]] = {}
    for name, part in task.parts.items():
        gold, known_vectors = np.array(part.scores), vectors_of(part.sentences(), vectors)
        everything |= known_vectors
        near = similarities(part, known_vectors)
        files[name] = {
            "pearson": _or_zero(pearson, near, gold),
            "pearson_of_angles": _or_zero(pearson, -np.arccos(np.clip(near, -1, 1)), gold),
            "spearman": _or_zero(spearman, near, gold),
            "pairs": len(part),
        }
        resampled.append(np.nan_to_num(pearson_of_draws(near, gold, draws(len(part)))))

    def mean(measure: Literal["pearson", "pearson_of_angles", "spearman"]) -> float:
        return float(np.mean([file[measure] for file in files.values()]))

    sizes = [file["pairs"] for file in files.values()]
    return _judged(task, mean("pearson"), np.mean(resampled, axis=0)) | {
        "spearman": mean("spearman"),
        "pearson_of_angles": mean("pearson_of_angles"),
        "pearson_by_pairs": float(np.average([file["pearson"] for file in files.values()], weights=sizes)),
        "spearman_by_pairs": float(np.average([file["spearman"] for file in files.values()], weights=sizes)),
        "files": files,
        **_described(everything),
    }


def _judged(task: Task, value: float, replicates: NDArray[np.float64]) -> TaskResult:
    replicates = np.nan_to_num(replicates)  # a resample in which one side is constant correlates with nothing
    low, high = np.quantile(replicates, [0.025, 0.975])
    return {
        "kind": task.kind,
        "measure": MEASURES[task.kind],
        "value": value,
        "low": float(low),
        "high": float(high),
        "replicates": replicates.tolist(),
        "items": task.items,
    }


def _or_zero(measure: Callable[..., float | None], x: NDArray, y: NDArray) -> float:
    """A correlation of two values or more; 0 where a side is constant."""
    return measure(x, y, least=2) or 0.0
