"""The supervised tasks: sentences, targets, and sentence vectors whose common components are of the training part."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import torch
from torch import Tensor
from torch.nn.functional import one_hot

from repline.corpora.labelled.labelled_sentences import SPLITS
from repline.corpora.sentence_pairs.pair_tables import ENTAILMENT
from repline.systems.usif.model import CommonComponents
from repline.systems.usif.probe import score_distribution
from repline.systems.usif.settings import VariantName
from repline.systems.usif.variants import VARIANTS, variant_embeddings
from repline.systems.usif.weighted_words import WeightedWords, mean_length

RELATEDNESS_TASK, ENTAILMENT_TASK = "sick_r", "sick_e"
SICK_FILES = {"train": "train", "dev": "trial", "test": "test"}
SCORES = ("1", "2", "3", "4", "5")  # of relatedness


@dataclass(frozen=True)
class Task:
    """A supervised task on single sentences or on pairs.

    Attributes:
        name: of the task.
        classes: C classes, or whole scores.
        sentences: by split, one column of sentences, or two for pairs.
        gold: by split, numbers of the classes, or scores [N].
        targets: by split, distributions over the classes [N, C].
        length: n of the constants.
    """

    name: str
    classes: tuple[str, ...]
    sentences: dict[str, list[list[list[str]]]]
    gold: dict[str, np.ndarray]
    targets: dict[str, Tensor]
    length: int

    @property
    def of_scores(self) -> bool:
        """Whether the classes are scores, whose mean is what a probe predicts."""
        return self.name == RELATEDNESS_TASK


def read_tasks(corpus: str | Path, length: int | None = None) -> list[Task]:
    """The tasks whose sentences are in a corpus that `corpus.prepare` wrote, in the order of their names.

    Args:
        length: n; None for the mean number of words of a task's training sentences.
    """
    labelled = pq.read_table(Path(corpus) / "labelled.parquet")
    pairs = pq.read_table(Path(corpus) / "pairs.parquet").filter(pc.field("test") == "sick")
    tasks = [
        _classification_task(name, labelled.filter(pc.field("task") == name), length)
        for name in sorted(set(labelled["task"].to_pylist()))
    ]
    splits = {split: pairs.filter(pc.field("file") == file) for split, file in SICK_FILES.items()}
    if all(part.num_rows for part in splits.values()):
        tasks += _pair_tasks(splits, length)
    return tasks


def embedded(task: Task, words: WeightedWords, variant: VariantName, m: int) -> dict[str, list[Tensor]]:
    """Sentence vectors of every split, one tensor [N, d] a column.

    Common components are those of the training sentences, and all vectors are divided by the root mean square of the
    training vectors: scale means nothing in a cosine, but it does to a classifier.
    """
    averages = {
        split: [words.averages(variant, column, task.length) for column in columns]
        for split, columns in task.sentences.items()
    }
    training = np.concatenate(averages["train"])
    components = CommonComponents.of(training, m)
    scale = np.sqrt(np.mean(np.square(variant_embeddings(VARIANTS[variant], training, m, components))))
    return {
        split: [
            torch.from_numpy(variant_embeddings(VARIANTS[variant], column, m, components) / (scale or 1)).float()
            for column in columns
        ]
        for split, columns in averages.items()
    }


def _classification_task(name: str, rows: pa.Table, length: int | None) -> Task:
    splits = {split: rows.filter(pc.field("split") == split) for split in SPLITS}
    sentences = {split: [part["tokens"].to_pylist()] for split, part in splits.items()}
    classes = tuple(sorted(set(rows["label"].to_pylist())))
    gold = {split: _class_numbers(part["label"], classes) for split, part in splits.items()}
    return Task(name, classes, sentences, gold, _one_hot(gold, classes), _length(sentences, length))


def _pair_tasks(splits: dict[str, pa.Table], length: int | None) -> list[Task]:
    sentences = {split: [part[f"tokens_{side}"].to_pylist() for side in "ab"] for split, part in splits.items()}
    n = _length(sentences, length)
    entailment = {split: _class_numbers(part["label"], ENTAILMENT) for split, part in splits.items()}
    scores = {split: part["score"].to_numpy() for split, part in splits.items()}
    distributions = {
        split: score_distribution(torch.from_numpy(part.astype(np.float32)), len(SCORES))
        for split, part in scores.items()
    }
    return [
        Task(ENTAILMENT_TASK, ENTAILMENT, sentences, entailment, _one_hot(entailment, ENTAILMENT), n),
        Task(RELATEDNESS_TASK, SCORES, sentences, scores, distributions, n),
    ]


def _length(sentences: dict[str, list[list[list[str]]]], length: int | None) -> int:
    return length or mean_length([sentence for column in sentences["train"] for sentence in column])


def _one_hot(gold: dict[str, np.ndarray], classes: tuple[str, ...]) -> dict[str, Tensor]:
    return {split: one_hot(torch.from_numpy(part), len(classes)).float() for split, part in gold.items()}


def _class_numbers(labels: pa.ChunkedArray, classes: tuple[str, ...]) -> np.ndarray:
    return pc.index_in(labels, pa.array(classes)).to_numpy().astype(np.int64)
