"""Scores of the frozen encoders on other tasks, compared with two untrained ones.

untrained   the same BiLSTM with its first weights
average     the mean of the word vectors
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, cast, get_args

from repline.evaluation.sentences.protocol import measure
from repline.evaluation.sentences.recipes import Protocol
from repline.evaluation.sentences.sentence_cache import Encode, SentenceVectors
from repline.evaluation.sentences.sentence_encoders import load_encoder, untrained_encoder
from repline.evaluation.sentences.sentence_records import TaskResult
from repline.evaluation.sentences.sentence_tasks import Task
from repline.systems.supervised_unsupervised.corpus import Data
from repline.systems.supervised_unsupervised.encoder import MaximumOfStates
from repline.systems.supervised_unsupervised.settings import Corpus, Recipe
from repline.systems.supervised_unsupervised.training import begin
from repline.vectors import store

Scores = dict[str, TaskResult]  # by task: its `NUMBERS`, and the replicates of each
Number = Literal["value", "f1", "pearson_by_pairs", "spearman_by_pairs"]
NUMBERS: tuple[Number, ...] = get_args(Number)


def scores_on(name: str, encode: Encode, tasks: Iterable[Task], protocol: Protocol) -> Scores:
    """An encoder's `NUMBERS` on each task, and the replicates of each."""
    vectors = SentenceVectors(name, encode)
    scores: Scores = {}
    for task in tasks:
        result: Mapping[str, object] = measure(task, vectors, protocol)
        keys = (*NUMBERS, "replicates", "further_replicates")
        scores[task.name] = cast(TaskResult, {key: result[key] for key in keys if key in result})
    return scores


def measure_transfer(
    models: Mapping[str, Sequence[Path]],
    tasks: Sequence[Task],
    protocol: Protocol,
    untrained: Sequence[MaximumOfStates],
    vectors: str | Path,
) -> dict[str, list[Scores]]:
    """The scores of each seed's encoder, by variant and by control.

    Args:
        models: by variant, the folder of each seed's model.
        untrained: of `untrained_encoders`.
        vectors: the folder of all word vectors.
    """
    scores = {
        variant: [scores_on(variant, load_encoder(folder), tasks, protocol) for folder in folders]
        for variant, folders in models.items()
    }
    scores["untrained"] = [scores_on("untrained", encode, tasks, protocol) for encode in untrained]
    scores["average"] = [scores_on("average", untrained_encoder("average", vectors), tasks, protocol)]
    return scores


def untrained_encoders(
    recipe: Recipe, seeds: Iterable[int], data: Data, vectors: str | Path, corpus: Corpus
) -> list[MaximumOfStates]:
    """The encoders that trainings of a recipe begin with, one a seed.

    Args:
        data: that `corpus` became.
        vectors: the folder of all word vectors.
    """
    words, matrix = store.words_and_matrix(vectors)
    index = {word: row for row, word in enumerate(words)}
    return [
        MaximumOfStates(
            begin(data, recipe, seed).model, index, matrix, lower_case=corpus.lower_case, spread=corpus.spread
        )
        for seed in seeds
    ]
