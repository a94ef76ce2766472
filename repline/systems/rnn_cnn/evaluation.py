"""Scores on tasks and nats of held-out text, of every variant over its seeds, and their replicates."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.bootstrap import (
    REPLICATES,
    drawn_items,
    drawn_runs,
    merge_replicates,
    side_by_side,
)
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.evaluation.sentences.protocol import measure
from repline.evaluation.sentences.recipes import Protocol
from repline.evaluation.sentences.sentence_cache import Encode, SentenceVectors
from repline.evaluation.sentences.sentence_records import TaskResult
from repline.evaluation.sentences.sentence_tasks import Task
from repline.evaluation.sentences.untrained import UntrainedEncoder
from repline.pretrained import pretrained
from repline.systems.rnn_cnn.corpus import Corpus
from repline.systems.rnn_cnn.encoder import SentenceEncoder
from repline.systems.rnn_cnn.model import ContextModel
from repline.systems.rnn_cnn.training import HELD_OUT

Scores = Mapping[str, TaskResult]  # by task
Further = Literal["f1", "spearman", "pearson_by_pairs", "spearman_by_pairs"]
FURTHER_MEASURES: tuple[Further, ...] = get_args(Further)  # of a task, next to `value`
CLASSES = ("classification", "pair_classification")
AVERAGE = "average"  # of word vectors, a method next to the variants


def evaluate(
    scores: Mapping[str, Sequence[Scores]],
    models: Mapping[str, Sequence[Path]],
    targets: Mapping[str, int],
    corpus: Corpus,
) -> Evaluation:
    """Scores of every method on the tasks, and `held_out` nats of the variants and of word frequencies.

    Args:
        scores: by variant, of `scores_of_runs`; of `AVERAGE`, those of `scores_of_average`.
        models: by variant, the folder of each seed's model.
        targets: by variant, N.
        corpus: on whose training part the models were trained.
    """
    metrics = {method: task_numbers(seeds) for method, seeds in scores.items()}
    on_tasks = side_by_side(**{method: task_replicates(seeds) for method, seeds in scores.items()})
    on_text: dict[str, list[Replicate]] = {}
    for variant, folders in models.items():
        following = corpus.following(corpus.pairs(targets[variant], held_out=True), targets[variant])
        unigram = {"unigram": corpus.unigram_nats(following)}
        seeds = [read_held_out(folder) | unigram for folder in folders]
        metrics[variant]["held_out"] = held_out_numbers(seeds)
        on_text[variant] = side_by_side(held_out=held_out_replicates(seeds))
    return Evaluation(metrics, merge_replicates(on_tasks, side_by_side(**on_text)))


def scores_of_runs(
    tasks: Sequence[Task],
    models: Sequence[Path],
    words: Sequence[str],
    vectors: NDArray[np.floating],
    protocol: Protocol,
) -> list[Scores]:
    """The scores of each run of a variant on the tasks.

    Args:
        models: the folder of each run.
        words: V' words with pre-trained vectors; vectors: [V', d].
    """
    index = {word: row for row, word in enumerate(words)}
    encoders = (SentenceEncoder(pretrained(ContextModel, folder), index, vectors) for folder in models)
    return [_scores(folder.name, encode, tasks, protocol) for folder, encode in zip(models, encoders, strict=True)]


def scores_of_average(
    tasks: Sequence[Task], words: Sequence[str], vectors: NDArray[np.floating], protocol: Protocol
) -> Scores:
    """The scores of the average of pre-trained word vectors; arguments as of `scores_of_runs`."""
    index = {word: row for row, word in enumerate(words)}
    return _scores(AVERAGE, UntrainedEncoder("average", index, vectors), tasks, protocol)


def _scores(name: str, encode: Encode, tasks: Sequence[Task], protocol: Protocol) -> Scores:
    sentence_vectors = SentenceVectors(name, encode)
    return {task.name: measure(task, sentence_vectors, protocol) for task in tasks}


def read_held_out(model: Path) -> dict[str, NDArray[np.float64]]:
    """The nats of held-out pairs next to a model, by measure [P], see `training.held_out_nats`."""
    with np.load(model / HELD_OUT, allow_pickle=False) as arrays:
        return dict(arrays)


def identifier(task: str) -> str:
    """The name of a task in metrics: `SICK-E` is sick_e."""
    return task.lower().replace("-", "_")


def task_numbers(seeds: Sequence[Scores]) -> dict[str, Metric]:
    """Scores by task: `value`, the mean over seeds, `seeds`, the value of each, and further measures.

    `accuracy` is the mean over all tasks with classes, where there are such.
    """
    numbers = mean_of_runs([_of_seed(scores) for scores in seeds])
    for task in seeds[0]:
        numbers[identifier(task)]["seeds"] = [float(scores[task]["value"]) for scores in seeds]
    return numbers


def task_replicates(seeds: Sequence[Scores]) -> list[Replicate]:
    """Replicates of `task_numbers`: seeds and test items are resampled, the same for all variants."""
    count = len(next(iter(seeds[0].values()))["replicates"])
    replicates = []
    for replicate in range(count):
        drawn = drawn_runs(len(seeds), replicate)
        replicates.append(mean_of_runs([_of_seed(_resampled(seeds[run], replicate)) for run in drawn]))
    return replicates


def _resampled(scores: Scores, replicate: int) -> Scores:
    """The scores with the numbers of a replicate in place of those of all test items."""

    def resampled(score: TaskResult) -> TaskResult:
        further = {name: values[replicate] for name, values in score.get("further_replicates", {}).items()}
        return cast(TaskResult, score | further | {"value": score["replicates"][replicate]})

    return {task: resampled(score) for task, score in scores.items()}


def held_out_numbers(seeds: Sequence[Mapping[str, NDArray]]) -> dict[str, Metric]:
    """Mean of each measure over held-out pairs ([P] per seed) and seeds, without pairs that have no known word."""
    return mean_of_runs([{name: float(np.nanmean(values)) for name, values in seed.items()} for seed in seeds])


def held_out_replicates(seeds: Sequence[Mapping[str, NDArray]]) -> list[Replicate]:
    """Replicates of `held_out_numbers`: seeds and pairs are resampled, the same for all variants."""
    items = len(next(iter(seeds[0].values())))
    replicates = []
    for replicate in range(REPLICATES):
        pairs = drawn_items(items, replicate)
        seed_replicates = [
            {name: float(np.nanmean(values[pairs])) for name, values in seeds[run].items()}
            for run in drawn_runs(len(seeds), replicate)
        ]
        replicates.append(mean_of_runs(seed_replicates))
    return replicates


def _of_seed(scores: Scores) -> dict[str, Metric]:
    numbers: Metrics = {}
    for task, score in scores.items():
        further = {name: float(score[name]) for name in FURTHER_MEASURES if name in score}
        numbers[identifier(task)] = {"value": float(score["value"])} | further
    classes = [numbers[identifier(task)]["value"] for task, score in scores.items() if score["kind"] in CLASSES]
    return numbers | ({"accuracy": float(np.mean(classes))} if classes else {})
