"""One task for one encoder: a number, its interval over resampled items, and what was learnt on the way."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from repline.errors import InputError
from repline.evaluation.correlation import pearson, spearman
from repline.evaluation.replication.units import draws_of_units
from repline.evaluation.replication.weighted_draws import mean_of_draws, pearson_of_draws, spearman_of_draws
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
Correlation = Literal["pearson", "pearson_of_angles", "spearman"]  # of one file
CORRELATIONS: tuple[Correlation, ...] = get_args(Correlation)


def measure(
    task: Task,
    vectors: SentenceVectors,
    protocol: Protocol = Protocol(),  # noqa: B008 (frozen)
) -> TaskResult:
    """Judge the vectors on one task.

    Returns:
        {"kind", "measure", "value" (a share or a correlation), "low", "high" (95 % over resampled units, as of
        `repline.evaluation.sentences.sentence_tasks.Part.units`), "replicates" (the value of each resample), "items",
        "dimensions", "zero_vectors" (sentences whose vector is zero, as where no word is known)};
        for classes "penalties" and, with a positive class, "f1"; for relatedness "penalties" and "spearman";
        for similarity "spearman", "pearson_of_angles", "pearson_by_pairs", "spearman_by_pairs" (weighted by the size of
        the files) and "files". "further_replicates" has the resamples of the numbers beside the value, by their names.

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
    weights = draws_of_units(task.tested[0].units())
    is_correct = predicted == gold
    result = _judged(task, float(is_correct.mean()), mean_of_draws(is_correct, weights))
    result["penalties"] = penalties
    if task.positive is not None:
        positive = task.classes.index(task.positive)
        is_positive, is_found = gold == positive, predicted == positive
        result["f1"] = float(f1_score(is_positive, is_found))
        result["further_replicates"] = {"f1": _f1_of_draws(is_positive, is_found, weights).tolist()}
    return result


def _f1_of_draws(is_positive: NDArray, is_found: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """F1 in each replicate: [R], 0 where nothing is positive or found."""
    both = weights @ (is_positive & is_found)
    sides = weights @ is_positive + weights @ is_found
    return np.divide(2 * both, sides, out=np.zeros(len(weights)), where=sides > 0)


def _relatedness(task: Task, parts: Mapping[str, NDArray], penalties: Sequence[float], seed: int) -> TaskResult:
    predicted, gold, chosen = scores(task, parts, penalties, seed)
    weights = draws_of_units(task.tested[0].units())
    result = _judged(task, _or_zero(pearson, predicted, gold), pearson_of_draws(predicted, gold, weights))
    ranked = np.nan_to_num(spearman_of_draws(predicted, gold, weights))
    return result | {
        "spearman": _or_zero(spearman, predicted, gold),
        "further_replicates": {"spearman": ranked.tolist()},
        "penalties": chosen,
    }


def _similarity(task: Task, vectors: SentenceVectors) -> TaskResult:
    files: dict[str, FileResult] = {}
    drawn_by_file: dict[Correlation, list[NDArray[np.float64]]] = {name: [] for name in CORRELATIONS}
    everything: dict[str, NDArray[np.float32]] = {}
    for name, part in task.parts.items():
        gold, known_vectors = np.array(part.scores), vectors_of(part.sentences(), vectors)
        everything |= known_vectors
        near = similarities(part, known_vectors)
        angles = -np.arccos(np.clip(near, -1, 1))
        weights = draws_of_units(part.units())
        files[name] = {
            "pearson": _or_zero(pearson, near, gold),
            "pearson_of_angles": _or_zero(pearson, angles, gold),
            "spearman": _or_zero(spearman, near, gold),
            "pairs": len(part),
        }
        drawn_by_file["pearson"].append(pearson_of_draws(near, gold, weights))
        drawn_by_file["pearson_of_angles"].append(pearson_of_draws(angles, gold, weights))
        drawn_by_file["spearman"].append(spearman_of_draws(near, gold, weights))
    sizes = [file["pairs"] for file in files.values()]
    numbers = {name: [file[name] for file in files.values()] for name in CORRELATIONS}
    drawn = {name: np.nan_to_num(by_file) for name, by_file in drawn_by_file.items()}  # [files, R]
    return _judged(task, float(np.mean(numbers["pearson"])), drawn["pearson"].mean(axis=0)) | {
        "spearman": float(np.mean(numbers["spearman"])),
        "pearson_of_angles": float(np.mean(numbers["pearson_of_angles"])),
        "pearson_by_pairs": float(np.average(numbers["pearson"], weights=sizes)),
        "spearman_by_pairs": float(np.average(numbers["spearman"], weights=sizes)),
        "further_replicates": {
            "spearman": drawn["spearman"].mean(axis=0).tolist(),
            "pearson_of_angles": drawn["pearson_of_angles"].mean(axis=0).tolist(),
            "pearson_by_pairs": np.average(drawn["pearson"], axis=0, weights=sizes).tolist(),
            "spearman_by_pairs": np.average(drawn["spearman"], axis=0, weights=sizes).tolist(),
        },
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
