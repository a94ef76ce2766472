"""What the frozen encoders are worth on other tasks, beside two that nobody trained.

untrained   the same BiLSTM with its first weights
average     the mean of the word vectors
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from repline.evaluation.sentences.protocol import measure
from repline.evaluation.sentences.protocol_settings import Protocol
from repline.evaluation.sentences.sentence_cache import Encode, SentenceVectors
from repline.evaluation.sentences.sentence_encoders import load_encoder, untrained_encoder
from repline.evaluation.sentences.sentence_tasks import Task
from repline.systems.supervised_unsupervised.corpus import Data
from repline.systems.supervised_unsupervised.encoder import MaximumOfStates
from repline.systems.supervised_unsupervised.training import Recipe, begin
from repline.vectors import store

Judged = dict[str, dict[str, Any]]  # task -> number -> its value, and `replicates`
NUMBERS = ("value", "f1", "pearson_by_pairs", "spearman_by_pairs")


def judged(name: str, encode: Encode, tasks: Iterable[Task], protocol: Protocol) -> Judged:
    """By task, an encoder's `NUMBERS` and the replicates of its value."""
    vectors = SentenceVectors(name, encode)
    found = {}
    for task in tasks:
        numbers = measure(task, vectors, protocol)
        found[task.name] = {key: numbers[key] for key in (*NUMBERS, "replicates") if key in numbers}
    return found


def transferred(
    models: Path,
    data: Data,
    tasks: Sequence[Task],
    protocol: Protocol,
    *,
    variants: Mapping[str, Iterable[int]],
    untrained: tuple[Recipe, Iterable[int]],
    vectors: str | Path,
    lower_case: bool,
    spread: float,
) -> dict[str, list[Judged]]:
    """By variant, and by control, what each seed's encoder comes to.

    Args:
        models: the folder of the variants; data: what they were trained on.
        variants: by name, their seeds.
        untrained: the recipe of the network that is judged untrained, and its seeds.
        vectors: of all words; lower_case, spread: of `write_data`.
    """
    found = {
        name: [judged(name, load_encoder(models / name / f"seed-{seed}"), tasks, protocol) for seed in seeds]
        for name, seeds in variants.items()
    }
    words, matrix = store.words_and_matrix(vectors)
    index = {word: row for row, word in enumerate(words)}
    found["untrained"] = [
        judged(
            "untrained",
            MaximumOfStates(begin(data, untrained[0], seed).model, index, matrix, lower_case=lower_case, spread=spread),
            tasks,
            protocol,
        )
        for seed in untrained[1]
    ]
    found["average"] = [judged("average", untrained_encoder("average", vectors), tasks, protocol)]
    return found
