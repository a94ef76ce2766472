"""What sentence vectors answer to the items of a task: predicted classes, predicted scores, or cosines."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, shown
from repline.evaluation.sentence_similarity import cosines
from repline.evaluation.sentences.cross_validation import (
    nested,
    on_dev,
    on_inner_folds,
    pair_features,
    relatedness,
    stratified_folds,
)
from repline.evaluation.sentences.recipes import FOLDS, Protocol
from repline.evaluation.sentences.sentence_cache import SentenceVectors
from repline.evaluation.sentences.sentence_tasks import Part, Task

DEV_SHARE = 10  # of a training part without a dev part, one pair of this many chooses the penalty of relatedness
Vectors = Mapping[str, NDArray[np.float32]]  # by sentence


class Answers(NamedTuple):
    """Predicted and gold class numbers or scores of the tested items [N], and the penalties that were chosen."""

    predicted: NDArray
    gold: NDArray
    penalties: list[float]


def vectors_of(sentences: Mapping[str, str], vectors: SentenceVectors) -> dict[str, NDArray[np.float32]]:
    """The vectors of sentences; InputError where all of them are zero."""
    by_sentence = vectors.of(sentences)
    if not any(vector.any() for vector in by_sentence.values()):
        text, where = next(iter(sentences.items()))
        raise InputError(
            f"{where}: {vectors.name} gives {shown(text)} a zero vector, as it does every "
            "sentence; take an encoder that knows their words"
        )
    return by_sentence


def sides(part: Part, by_sentence: Vectors) -> list[NDArray[np.float32]]:
    """The vectors of the first sentences of a part, and of the second ones where it has pairs: [N, D] each."""
    texts = (part.first, part.second) if part.second else (part.first,)
    return [np.stack([by_sentence[sentence] for sentence in side]) for side in texts]


def features(part: Part, by_sentence: Vectors) -> NDArray[np.floating]:
    """What a classifier learns from: the vectors of sentences, or `pair_features` of pairs."""
    first, *second = sides(part, by_sentence)
    return pair_features(first, *second) if second else first


def similarities(part: Part, by_sentence: Vectors) -> NDArray[np.float64]:
    """The cosines of the pairs of a part: [N]."""
    return cosines(*sides(part, by_sentence))


def classes(task: Task, parts: Mapping[str, NDArray], protocol: Protocol) -> Answers:
    """The class numbers of the tested items, by the protocol that the parts of the task ask for.

    Args:
        parts: the features of each part.
    """
    folds, inner, penalties, seed = protocol.folds, protocol.inner_folds, protocol.penalties, protocol.seed
    class_number = {label: number for number, label in enumerate(task.classes)}
    labels = {name: np.array([class_number[label] for label in part.labels]) for name, part in task.parts.items()}
    if "all" in parts:
        gold = labels["all"]
        predicted, chosen = nested(parts["all"], gold, folds=folds, inner=inner, penalties=penalties, seed=seed)
        return Answers(predicted, gold, chosen)
    if "dev" in parts:
        predicted, penalty = on_dev(
            parts["train"], labels["train"], parts["dev"], labels["dev"], parts["test"], penalties=penalties
        )
    else:
        predicted, penalty = on_inner_folds(
            parts["train"], labels["train"], parts["test"], inner=inner, penalties=penalties, seed=seed
        )
    return Answers(predicted, labels["test"], [penalty])


def scores(task: Task, parts: Mapping[str, NDArray], penalties: Sequence[float], seed: int) -> Answers:
    """The scores of the test pairs of a task of relatedness; arguments as of `classes` and `Protocol`."""
    rows, gold_of_rows = parts["train"], np.array(task.parts["train"].scores)
    if "dev" in parts:
        dev, dev_scores = parts["dev"], np.array(task.parts["dev"].scores)
    else:
        held = stratified_folds(np.zeros(len(rows), dtype=np.int64), DEV_SHARE, seed) == 0
        dev, dev_scores, rows, gold_of_rows = rows[held], gold_of_rows[held], rows[~held], gold_of_rows[~held]
    low, high = task.scale
    inputs = rows, gold_of_rows, dev, dev_scores, parts["test"]
    predicted, penalty = relatedness(*inputs, low=low, high=high, penalties=penalties)
    return Answers(predicted, np.array(task.parts["test"].scores), [penalty])


def has_folds(task: Task) -> bool:
    """Whether folds of a task choose a penalty: classes without a dev part."""
    return task.kind in ("classification", "pair_classification") and "dev" not in task.parts


def check_folds(tasks: Sequence[Task], folds: int) -> None:
    """Check the folds before the work, whose result would be lost.

    Args:
        folds: of cross-validation, outer and inner.

    Raises:
        InputError: another number than the default for tasks without folds, or a task with too few sentences.
    """
    if folds != FOLDS and not any(map(has_folds, tasks)):
        names = ", ".join(task.name for task in tasks)
        raise InputError(
            f"--folds is of tasks with classes and without a dev part, and here is none ({names}); leave it out"
        )
    for task in tasks:
        if has_folds(task):
            _check_size(task, folds)
        elif task.kind == "relatedness" and "dev" not in task.parts and len(task.parts["train"]) < DEV_SHARE:
            raise InputError(
                f"{task.name}: expected at least {DEV_SHARE} pairs to learn from, or a dev part, found "
                f"{len(task.parts['train'])}"
            )


def _check_size(task: Task, folds: int) -> None:
    """InputError where a task has too few sentences; those outside the largest outer fold have inner folds, too."""
    part = "all" if "all" in task.parts else "train"
    least = folds + 2 if part == "all" else folds
    if len(task.parts[part]) < least:
        raise InputError(
            f"{task.name}: expected at least {least} sentences to learn from for {folds} folds, found "
            f"{len(task.parts[part])}; choose fewer by --folds, or add sentences"
        )
