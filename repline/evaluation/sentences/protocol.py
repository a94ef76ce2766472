"""One task for one encoder: a number, its interval over resampled items, and what was learnt on the way."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from repline.errors import InputError
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
) -> dict[str, Any]:
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
        known = _known(task.sentences(), vectors)
        parts = {name: _features(part, known) for name, part in task.parts.items()}
        if task.kind == "relatedness":
            found = _relatedness(task, parts, protocol.penalties, protocol.seed)
        else:
            found = _classification(task, parts, protocol)
    except InputError as error:
        raise InputError(f"{task.name}: {error}") from None
    return found | _described(known)


def _known(sentences: Mapping[str, str], vectors: SentenceVectors) -> dict[str, NDArray[np.float32]]:
    """The vectors of sentences, of which at least one is not zero."""
    known = vectors.of(sentences)
    if not any(vector.any() for vector in known.values()):
        text, place = next(iter(sentences.items()))
        raise InputError(
            f"{place}: {vectors.name} gives the sentence {text[:60]!r} a zero vector, and all others too; are there "
            "any words in it that the encoder knows?"
        )
    return known


def _described(known: Mapping[str, NDArray]) -> dict[str, int]:
    zeros = sum(not vector.any() for vector in known.values())
    return {"dimensions": len(next(iter(known.values()))), "zero_vectors": zeros}


def _features(part: Part, known: Mapping[str, NDArray]) -> NDArray[np.float32]:
    first = np.stack([known[sentence] for sentence in part.first])
    return pair_features(first, np.stack([known[sentence] for sentence in part.second])) if part.second else first


def _classification(task: Task, parts: Mapping[str, NDArray], protocol: Protocol) -> dict[str, Any]:
    folds, inner, penalties, seed = protocol.folds, protocol.inner_folds, protocol.penalties, protocol.seed
    place = {label: number for number, label in enumerate(task.classes)}
    labels = {name: np.array([place[label] for label in part.labels]) for name, part in task.parts.items()}
    if "all" in parts:
        gold = labels["all"]
        predicted, chosen = nested(parts["all"], gold, folds=folds, inner=inner, penalties=penalties, seed=seed)
    elif "dev" in parts:
        gold = labels["test"]
        predicted, penalty = on_dev(
            parts["train"], labels["train"], parts["dev"], labels["dev"], parts["test"], penalties=penalties
        )
        chosen = [penalty]
    else:
        gold = labels["test"]
        predicted, penalty = on_inner_folds(
            parts["train"], labels["train"], parts["test"], inner=inner, penalties=penalties, seed=seed
        )
        chosen = [penalty]
    right = predicted == gold
    found = _judged(task, float(right.mean()), mean_of_draws(right, draws(len(gold))))
    found["penalties"] = chosen
    if task.positive is not None:
        found["f1"] = float(f1_score(gold == place[task.positive], predicted == place[task.positive]))
    return found


def _relatedness(task: Task, parts: Mapping[str, NDArray], penalties: Sequence[float], seed: int) -> dict[str, Any]:
    rows, scores = parts["train"], np.array(task.parts["train"].scores)
    if "dev" in parts:
        dev, dev_scores = parts["dev"], np.array(task.parts["dev"].scores)
    else:
        held = stratified_folds(np.zeros(len(rows), dtype=np.int64), DEV_SHARE, seed) == 0
        dev, dev_scores, rows, scores = rows[held], scores[held], rows[~held], scores[~held]
    low, high = task.scale
    inputs = rows, scores, dev, dev_scores, parts["test"]
    predicted, chosen = relatedness(*inputs, low=low, high=high, penalties=penalties)
    gold = np.array(task.parts["test"].scores)
    found = _judged(task, _or_zero(pearson, predicted, gold), pearson_of_draws(predicted, gold, draws(len(gold))))
    return found | {"spearman": _or_zero(spearman, predicted, gold), "penalties": [chosen]}


def _similarity(task: Task, vectors: SentenceVectors) -> dict[str, Any]:
    files: dict[str, dict[str, Any]] = {}
    resampled = []
    everything: dict[str, NDArray[np.float32]] = {}
    for name, part in task.parts.items():
        scores, known = np.array(part.scores), _known(part.sentences(), vectors)
        everything |= known
        sides = (np.stack([known[sentence] for sentence in side]) for side in (part.first, part.second))
        found = cosines(*sides)
        files[name] = {
            "pearson": _or_zero(pearson, found, scores),
            "pearson_of_angles": _or_zero(pearson, -np.arccos(np.clip(found, -1, 1)), scores),
            "spearman": _or_zero(spearman, found, scores),
            "pairs": len(part),
        }
        resampled.append(np.nan_to_num(pearson_of_draws(found, scores, draws(len(part)))))

    def mean(measure: str) -> float:
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


def _judged(task: Task, value: float, replicates: NDArray[np.float64]) -> dict[str, Any]:
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
