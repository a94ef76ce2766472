"""What several sentence encoders answer to the items of a task that they all give vectors for."""

from collections.abc import Mapping
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.leaderboards.shared_items import (
    SharedItems,
    Statistic,
    accuracy,
    correlation,
    notes_on_files,
)
from repline.evaluation.replication.units import numbered_units, pair_units
from repline.evaluation.sentences.protocol import MEASURES
from repline.evaluation.sentences.recipes import Protocol
from repline.evaluation.sentences.sentence_cache import SentenceVectors
from repline.evaluation.sentences.sentence_tasks import Part, Task
from repline.evaluation.sentences.task_answers import (
    Answers,
    Vectors,
    classes,
    features,
    scores,
    sides,
    similarities,
    vectors_of,
)


def compared(task: Task, encoders: Mapping[str, SentenceVectors], protocol: Protocol) -> SharedItems:
    """The answers of all encoders to the tested items of a task; units are sentences, or as of `pair_units`.

    Every encoder learns from the whole training part. An encoder cannot answer an item with a sentence whose vector is
    zero, as where it knows no word of it.

    Raises:
        InputError: as of `repline.evaluation.sentences.protocol.measure`.
    """
    measured: dict[str, tuple[Answers, NDArray[np.bool_]]] = {}
    for name, vectors in encoders.items():
        try:
            measured[name] = _answers(task, vectors, protocol)
        except InputError as error:
            raise InputError(f"{task.name}: {error}") from None
    is_shared = np.all([is_answered for _, is_answered in measured.values()], axis=0)
    gold = next(iter(measured.values()))[0].gold[is_shared]
    files = _files(task, is_shared)
    return SharedItems(
        test=task.name,
        measure=MEASURES[task.kind],
        items=len(is_shared),
        answered={name: int(is_answered.sum()) for name, (_, is_answered) in measured.items()},
        answers={name: answers.predicted[is_shared][None] for name, (answers, _) in measured.items()},
        statistic=_statistic(task, gold, files),
        units=_units(task, is_shared),
        notes=() if files is None else notes_on_files(gold, files),
    )


def _answers(task: Task, vectors: SentenceVectors, protocol: Protocol) -> tuple[Answers, NDArray[np.bool_]]:
    """What one encoder answers to the tested items, and whether it can answer each of them."""
    if task.kind == "similarity":
        by_file = [(part, vectors_of(part.sentences(), vectors)) for part in task.parts.values()]
        near = np.concatenate([similarities(part, by_sentence) for part, by_sentence in by_file])
        gold = np.concatenate([np.array(part.scores) for part, _ in by_file])
        return Answers(near, gold, []), np.concatenate([_has_vectors(*file) for file in by_file])
    by_sentence = vectors_of(task.sentences(), vectors)
    parts = {name: features(part, by_sentence) for name, part in task.parts.items()}
    if task.kind == "relatedness":
        answers = scores(task, parts, protocol.penalties, protocol.seed)
    else:
        answers = classes(task, parts, protocol)
    return answers, np.concatenate([_has_vectors(part, by_sentence) for part in task.tested])


def _units(task: Task, is_shared: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The units of the shared items of a task."""
    parts = task.tested
    firsts = list(compress((sentence for part in parts for sentence in part.first), is_shared))
    seconds = list(compress((sentence for part in parts for sentence in part.second), is_shared))
    return pair_units(firsts, seconds) if seconds else numbered_units(firsts)


def _has_vectors(part: Part, by_sentence: Vectors) -> NDArray[np.bool_]:
    """Whether each sentence, or both sentences of each pair, have a vector that is not zero: [N]."""
    return np.all([side.any(axis=1) for side in sides(part, by_sentence)], axis=0)


def _files(task: Task, is_shared: NDArray[np.bool_]) -> NDArray | None:
    """The number of the file of each shared item, of a task whose parts are tested one by one."""
    if task.kind != "similarity":
        return None
    return np.repeat(np.arange(len(task.parts)), [len(part) for part in task.parts.values()])[is_shared]


def _statistic(task: Task, gold: NDArray, files: NDArray | None) -> Statistic:
    if task.kind in ("similarity", "relatedness"):
        return correlation(gold, by_rank=False, files=files)
    return accuracy(gold)
