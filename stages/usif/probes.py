"""The supervised tasks: sentences, targets, and sentence vectors whose common components are of the training part."""

from dataclasses import dataclass

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
from repline.systems.usif.settings import Settings
from repline.systems.usif.variants import VARIANTS as ALL
from repline.systems.usif.variants import variant_embeddings
from stages.usif.weighted_words import CORPUS, Words, mean_length

VARIANTS = ("average", "sif_wr", "up")
SICK = {"train": "train", "dev": "trial", "test": "test"}
RELATEDNESS = ("1", "2", "3", "4", "5")


@dataclass(frozen=True)
class Task:
    """One task: for each split its sentences (one column, or two for pairs), scores or classes, and distributions."""

    name: str
    classes: tuple[str, ...]
    sentences: dict[str, list[list[list[str]]]]
    gold: dict[str, np.ndarray]
    targets: dict[str, Tensor]
    words: Words


def tasks(settings: Settings) -> list[Task]:
    """The tasks whose sentences are in the corpus, in the order of their names."""
    labelled = pq.read_table(CORPUS / "labelled.parquet")
    pairs = pq.read_table(CORPUS / "pairs.parquet").filter(pc.field("test") == "sick")
    words: dict[int, Words] = {}

    def words_for(sentences: dict[str, list[list[list[str]]]]) -> Words:
        length = settings.length or mean_length([one for column in sentences["train"] for one in column])
        if length not in words:
            words[length] = Words(f"data/vectors/{settings.vectors}", length)
        return words[length]

    found = []
    for name in sorted(set(labelled["task"].to_pylist())):
        rows = labelled.filter(pc.field("task") == name)
        splits = {split: rows.filter(pc.field("split") == split) for split in SPLITS}
        sentences = {split: [part["tokens"].to_pylist()] for split, part in splits.items()}
        classes = tuple(sorted(set(rows["label"].to_pylist())))
        gold = {split: _numbers(part["label"], classes) for split, part in splits.items()}
        found.append(_classification(name, classes, sentences, gold, words_for(sentences)))
    splits = {split: pairs.filter(pc.field("file") == file) for split, file in SICK.items()}
    if all(part.num_rows for part in splits.values()):
        sentences = {split: [part[f"tokens_{side}"].to_pylist() for side in "ab"] for split, part in splits.items()}
        scores = {split: part["score"].to_numpy() for split, part in splits.items()}
        targets = {
            split: score_distribution(torch.from_numpy(part.astype(np.float32)), len(RELATEDNESS))
            for split, part in scores.items()
        }
        gold = {split: _numbers(part["label"], ENTAILMENT) for split, part in splits.items()}
        found.append(_classification("sick_e", ENTAILMENT, sentences, gold, words_for(sentences)))
        found.append(Task("sick_r", RELATEDNESS, sentences, scores, targets, words_for(sentences)))
    return found


def embedded(task: Task, variant: str, m: int) -> dict[str, list[Tensor]]:
    """Sentence vectors of every split, one tensor [N, d] a column.

    Common components are those of the training sentences, and all vectors are divided by the root mean square of the
    training vectors: scale means nothing in a cosine, but it does to a classifier.
    """
    averages = {
        split: [task.words.averages(variant, column) for column in columns] for split, columns in task.sentences.items()
    }
    training = np.concatenate(averages["train"])
    components = CommonComponents.of(training, m)
    scale = np.sqrt(np.mean(np.square(variant_embeddings(ALL[variant], training, m, components))))
    return {
        split: [
            torch.from_numpy(variant_embeddings(ALL[variant], column, m, components) / (scale or 1)).float()
            for column in columns
        ]
        for split, columns in averages.items()
    }


def _classification(
    name: str,
    classes: tuple[str, ...],
    sentences: dict[str, list[list[list[str]]]],
    gold: dict[str, np.ndarray],
    words: Words,
) -> Task:
    targets = {split: one_hot(torch.from_numpy(part), len(classes)).float() for split, part in gold.items()}
    return Task(name, classes, sentences, gold, targets, words)


def _numbers(labels: pa.ChunkedArray, classes: tuple[str, ...]) -> np.ndarray:
    return pc.index_in(labels, pa.array(classes)).to_numpy().astype(np.int64)
