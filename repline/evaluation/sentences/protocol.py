"""One task for one encoder: a number, its interval over resampled items, and what was learnt on the way."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from repline.errors import InputError, shown
from repline.evaluation.correlation import pearson, spearman
from repline.evaluation.replication.weighted_draws import draws, mean_of_draws, pearson_of_draws
from repline.evaluation.sentence_similarity import cosines
from repline.evaluation.sentences.cross_validation import (
    nested,
    on_dev,
    on_inner_folds,
    pair_features,
    relatedness,
    stratified_folds,
)
from repline.evaluation.sentences.recipes import Protocol
from repline.evaluation.sentences.sentence_cache import SentenceVectors
from repline.evaluation.sentences.sentence_records import FileResult, TaskResult
from repline.evaluation.sentences.sentence_tasks import Part, Task

MEASURES = {
    "classification": "accuracy",
    "pair_classification": "accuracy",
    "relatedness": "Pearson",
    "similarity": "Pearson",
}
DEV_SHARE = 10  # of a training part without a dev part, one pair of this many chooses the penalty of relatedness


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
        known_vectors = _known(task.sentences(), vectors)
        parts = {name: _features(part, known_vectors) for name, part in task.parts.items()}
        if task.kind == "relatedness":
            result = _relatedness(task, parts, protocol.penalties, protocol.seed)
        else:
            result = _classification(task, parts, protocol)
    except InputError as error:
        raise InputError(f"{task.name}: {error}") from None
    return result | _described(known_vectors)


def _known(sentences: Mapping[str, str], vectors: SentenceVectors) -> dict[str, NDArray[np.float32]]:
    """The vectors of sentences, of which at least one is not zero."""
    known_vectors = vectors.of(sentences)
    if not any(vector.any() for vector in known_vectors.values()):
        text, where = next(iter(sentences.items()))
        raise InputError(
            f"{where}: {vectors.name} gives {shown(text)} a zero vector, as it does every "
            "sentence; take an encoder that knows their words"
        )
    return known_vectors


def _described(known_words: Mapping[str, NDArray]) -> TaskResult:
    zeros = sum(not vector.any() for vector in known_words.values())
    return {"dimensions": len(next(iter(known_words.values()))), "zero_vectors": zeros}


def _features(part: Part, known_vectors: Mapping[str, NDArray]) -> NDArray[np.float32]:
    first = np.stack([known_vectors[sentence] for sentence in part.first])
    return (
        pair_features(first, np.stack([known_vectors[sentence] for sentence in part.second])) if part.second else first
    )


def _classification(task: Task, parts: Mapping[str, NDArray], protocol: Protocol) -> TaskResult:
    folds, inner, penalties, seed = protocol.folds, protocol.inner_folds, protocol.penalties, protocol.seed
    class_number = {label: number for number, label in enumerate(task.classes)}
    labels = {name: np.array([class_number[label] for label in part.labels]) for name, part in task.parts.items()}
    if "all" in parts:
        gold = labels["all"]
        predicted, penalties_chosen = nested(
            parts["all"], gold, folds=folds, inner=inner, penalties=penalties, seed=seed
        )
    elif "dev" in parts:
        gold = labels["test"]
        predicted, penalty = on_dev(
            parts["train"], labels["train"], parts["dev"], labels["dev"], parts["test"], penalties=penalties
        )
        penalties_chosen = [penalty]
    else:
        gold = labels["test"]
        predicted, penalty = on_inner_folds(
            parts["train"], labels["train"], parts["test"], inner=inner, penalties=penalties, seed=seed
        )
        penalties_chosen = [penalty]
    is_correct = predicted == gold
    result = _judged(task, float(is_correct.mean()), mean_of_draws(is_correct, draws(len(gold))))
    result["penalties"] = penalties_chosen
    if task.positive is not None:
        result["f1"] = float(f1_score(gold == class_number[task.positive], predicted == class_number[task.positive]))
    return result


def _relatedness(task: Task, parts: Mapping[str, NDArray], penalties: Sequence[float], seed: int) -> TaskResult:
    rows, scores = parts["train"], np.array(task.parts["train"].scores)
    if "dev" in parts:
        dev, dev_scores = parts["dev"], np.array(task.parts["dev"].scores)
    else:
        held = stratified_folds(np.zeros(len(rows), dtype=np.int64), DEV_SHARE, seed) == 0
        dev, dev_scores, rows, scores = rows[held], scores[held], rows[~held], scores[~held]
    low, high = task.scale
    inputs = rows, scores, dev, dev_scores, parts["test"]
    predicted, penalty_chosen = relatedness(*inputs, low=low, high=high, penalties=penalties)
    gold = np.array(task.parts["test"].scores)
    result = _judged(task, _or_zero(pearson, predicted, gold), pearson_of_draws(predicted, gold, draws(len(gold))))
    return result | {"spearman": _or_zero(spearman, predicted, gold), "penalties": [penalty_chosen]}


def _similarity(task: Task, vectors: SentenceVectors) -> TaskResult:
    files: dict[str, FileResult] = {}
    resampled = []
    everything: dict[str, NDArray[np.float32]] = {}
    for name, part in task.parts.items():
        scores, known_vectors = np.array(part.scores), _known(part.sentences(), vectors)
        everything |= known_vectors
        sides = (np.stack([known_vectors[sentence] for sentence in side]) for side in (part.first, part.second))
        similarities = cosines(*sides)
        files[name] = {
            "pearson": _or_zero(pearson, similarities, scores),
            "pearson_of_angles": _or_zero(pearson, -np.arccos(np.clip(similarities, -1, 1)), scores),
            "spearman": _or_zero(spearman, similarities, scores),
            "pairs": len(part),
        }
        resampled.append(np.nan_to_num(pearson_of_draws(similarities, scores, draws(len(part)))))

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
