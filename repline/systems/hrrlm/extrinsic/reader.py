"""A small network that reads fixed word vectors: of a word and its neighbours, or the mean of a sentence.

    y = softmax(W_2 tanh(W_1 x + b_1) + b_2)
    x = [v_{t-2}, ..., v_{t+2}]  for the label of word t;    x = mean of v_1 ... v_n  for the label of a sentence

The vectors are not trained, so that the score is theirs. Words without a vector, and positions outside the sentence,
are zeros. The paper does not describe the tasks' models; the window of five is that of taggers of its time.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.corpora.chunks.tag_spans import spans
from repline.systems.hrrlm.extrinsic.tasks import Sentences
from repline.systems.hrrlm.settings import ExtrinsicTask
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit
from repline.training.recipes import CPU

NEIGHBOURS = 2  # on each side


class Counts(NamedTuple):
    """What was found in each test sentence, [S] each: F1 = 2 right / (found + gold); accuracy where found = gold."""

    right: NDArray[np.int64]
    found: NDArray[np.int64]
    gold: NDArray[np.int64]

    def score(self, sentences: NDArray[np.integer] | None = None) -> float:
        """Score of all sentences, or of chosen ones; a repeated index counts each time."""
        weights = np.ones(len(self.gold)) if sentences is None else np.bincount(sentences, minlength=len(self.gold))
        return float(2 * (weights @ self.right) / (weights @ (self.found + self.gold)))


def read_counts(files: Mapping[str, Path]) -> dict[str, dict[str, Counts]]:
    """The counts of every variant and task, from the Parquet file of each task."""
    counts: dict[str, dict[str, Counts]] = {}
    for task, file in files.items():
        table = pq.read_table(file)
        for variant in dict.fromkeys(table["variant"].to_pylist()):
            rows_of_variant = table.filter(pc.equal(table["variant"], variant))
            columns = (rows_of_variant[name].to_numpy() for name in Counts._fields)
            counts.setdefault(variant, {})[task] = Counts(*columns)
    return counts


class VectorReader(nn.Module):
    """Fixed vectors [V, d], the last of them zeros; `window` words side by side, or the mean of a sentence's."""

    vectors: Tensor

    def __init__(self, vectors: Tensor, window: bool, hidden: int, classes: int):
        super().__init__()
        self.register_buffer("vectors", vectors)
        self.window = window
        size = vectors.shape[1] * (2 * NEIGHBOURS + 1 if window else 1)
        self.layers = nn.Sequential(nn.Linear(size, hidden), nn.Tanh(), nn.Linear(hidden, classes))

    def forward(self, ids: Tensor) -> Tensor:
        """Ids [B, T] of a window or of a sentence -> scores [B, classes]."""
        read = self.vectors[ids]  # [B, T, d]
        if self.window:
            return self.layers(read.flatten(1))
        is_known = torch.ne(ids, len(self.vectors) - 1)
        known_words = is_known.sum(1, keepdim=True).clamp(min=1)
        return self.layers(read.sum(1) / known_words)


def _label_loss(reader: VectorReader, batch: Sequence[Tensor]) -> Tensor:
    """Cross-entropy of the labels, for a batch of ids [B, T] and labels [B]."""
    ids, labels = batch
    return cross_entropy(reader(ids), labels)


def learn(
    vectors: Mapping[str, int],
    matrix: NDArray[np.floating],
    train: Sentences,
    test: Sentences,
    task: ExtrinsicTask,
    scratch: str | Path,
    *,
    spans_count: bool,
    seed: int = 0,
    threads: int = 1,
) -> Counts:
    """Train a reader of the vectors on one part of a task, and count what it gets right in the other.

    Args:
        vectors: word -> its row of `matrix`.
        matrix: [V, d]; the reader gets it divided by the root mean square of its numbers.
        task: sizes and training of the reader.
        scratch: checkpoints go to a folder in it, which is removed in the end.
        spans_count: labels are IOB2 tags, whose spans are counted; else each label counts.
    """
    torch.manual_seed(seed)
    classes = sorted({label for labels in train.labels for label in labels})
    window = spans_count or any(len(labels) != 1 for labels in train.labels)
    scale = max(float(np.sqrt(np.square(matrix).mean())), 1e-12)
    table = np.vstack([matrix / scale, np.zeros((1, matrix.shape[1]))])
    reader = VectorReader(torch.from_numpy(table.astype(np.float32)), window, task.hidden, len(classes))
    numbers = {label: number for number, label in enumerate(classes)}
    ids = _ids(vectors, train.words, window)
    labels = torch.tensor([numbers[label] for labels in train.labels for label in labels])
    settings = task.model_dump(exclude={"source"}) | {"seed": seed}
    mark = fingerprint(reader, settings, [reader.vectors, ids, labels], loss=_label_loss, hardware=CPU)
    checkpoints = Path(scratch) / f"hrrlm-extrinsic-{mark}"
    fit(
        reader,
        _label_loss,
        batches((ids, labels), task.batch, seed=seed),
        epochs=task.epochs,
        learning_rate=task.learning_rate,
        seed=seed,
        checkpoints=checkpoints,
        threads=threads,
        hardware=CPU,
        name="extrinsic",
    )
    shutil.rmtree(checkpoints, ignore_errors=True)
    with torch.inference_mode():
        answers = torch.cat([reader(part).argmax(1) for part in _ids(vectors, test.words, window).split(4096)]).tolist()
    predicted_labels = iter(classes[answer] for answer in answers)
    predicted = [[next(predicted_labels) for _ in labels] for labels in test.labels]
    return _counts(test.labels, predicted, spans_count)


def _ids(vectors: Mapping[str, int], sentences: Sequence[Sequence[str]], window: bool) -> Tensor:
    """Rows of the vectors: the window around each word [N, 5], or each sentence padded to the longest [S, T]."""
    nothing = len(vectors)
    word_rows = [[vectors.get(word, nothing) for word in words] for words in sentences]
    if not window:
        longest = max(map(len, word_rows), default=1)
        return torch.tensor([rows + [nothing] * (max(longest, 1) - len(rows)) for rows in word_rows])
    edge = [nothing] * NEIGHBOURS
    padded = [edge + rows + edge for rows in word_rows]
    return torch.tensor(
        [
            rows[position : position + 2 * NEIGHBOURS + 1]
            for rows in padded
            for position in range(len(rows) - 2 * NEIGHBOURS)
        ]
    )


def _counts(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]], spans_count: bool) -> Counts:
    rows: list[tuple[int, int, int]] = []
    for gold_labels, labels in zip(gold, predicted, strict=True):
        if spans_count:
            a, b = set(spans(gold_labels)), set(spans(labels))
            rows.append((len(a & b), len(b), len(a)))
        else:
            agreeing = sum(x == y for x, y in zip(gold_labels, labels, strict=True))
            rows.append((agreeing, len(labels), len(gold_labels)))
    columns: Any = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Counts(*columns)
