"""Taggers on the test sentences of a corpus, and the most frequent label and jieba."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import jieba.posseg
import numpy as np
import torch
from numpy.typing import NDArray

from repline.corpora.chunks.tag_spans import spans
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric
from repline.evaluation.replication.bootstrap import bootstrap
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.glyphs.bitmaps import Bitmaps
from repline.pretrained import pretrained
from repline.systems.visual_characters.character_numbers import character_ids
from repline.systems.visual_characters.corpus import read_rows
from repline.systems.visual_characters.tagging.tagged_text import (
    MostFrequentLabel,
    Sentence,
    f1,
    labels,
    span_counts,
)
from repline.systems.visual_characters.tagging.tagger import Tagger
from repline.systems.visual_characters.tuning import tuned_losses
from repline.training.run import runs

jieba.setLogLevel(logging.ERROR)
Counts = NDArray[np.int64]
BLOCK = 100  # sentences at a time
JIEBA_TAGS = {"x": "w", "e": "n"}  # its tags of punctuation, and of Latin words (eng), in the corpus's tags


def score_taggers(folders: Mapping[str, Path], corpus: Path, bitmaps: Bitmaps, pku_tags: bool) -> Evaluation:
    """F1 of words with tags, of words, and accuracy of tags, by tagger; `baseline` and `jieba` too.

    Args:
        folders: of the taggers of all seeds, by the taggers' names.
        corpus: the folder of the tagged sentences.
        bitmaps: of all characters.
        pku_tags: whether jieba's tags are those of the corpus; else only its words are judged.
    """
    parts = {
        name: [list(zip(row["tokens"], row["tag"], strict=True)) for row in rows]
        for name, rows in read_rows(corpus, "tagged", bitmaps).items()
    }
    texts = ["".join(word for word, _ in sentence) for sentence in parts["test"]]
    gold = [labels(sentence) for sentence in parts["test"]]
    characters = np.array([len(text) for text in texts])
    baseline = MostFrequentLabel(parts["train"])
    counts: dict[str, list[Counts]] = {
        "baseline": [tagging_items(gold, [baseline(text) for text in texts])],
        "jieba": [tagging_items(gold, [labels(_by_jieba(text)) for text in texts])],
    }
    for name, folder in folders.items():
        counts[name] = [
            tagging_items(gold, _labels_of(pretrained(Tagger, run), texts, bitmaps)) for run in runs(folder)
        ]
    most_seeds = max(map(len, counts.values()))
    counts_of_runs = [
        {name: seed_counts[seed % len(seed_counts)] for name, seed_counts in counts.items()}
        for seed in range(most_seeds)
    ]

    def measure(counts_of_run: dict[str, Counts], rows: NDArray[np.integer]) -> dict[str, Metric]:
        number = int(characters[rows].sum())
        scores: Metrics = {name: tagging_scores(items[rows].sum(0), number) for name, items in counts_of_run.items()}
        if not pku_tags:
            scores["jieba"] = {"words": scores["jieba"]["words"]}
        return scores

    metrics = mean_of_runs([measure(counts_of_run, np.arange(len(texts))) for counts_of_run in counts_of_runs])
    for name, folder in folders.items():
        metrics[name] |= tuned_losses(folder)
    metrics["sentences"] = {name: len(part) for name, part in parts.items()}
    return Evaluation(metrics, bootstrap(measure, counts_of_runs, len(texts)))


def tagging_items(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> Counts:
    """`span_counts` of each sentence, from labels of characters: [N, 5]."""
    rows = [
        span_counts(spans(gold_labels), spans(predicted_labels))
        for gold_labels, predicted_labels in zip(gold, predicted, strict=True)
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 5)


def tagging_scores(counts: Counts, characters: int) -> dict[str, float]:
    """F1 of words with their tags, of words, and the share of characters with the right tag, from sums of items [5]."""
    gold, predicted, n_right, n_right_words, tags = counts.tolist()
    return {
        "f1": f1(gold, predicted, n_right),
        "words": f1(gold, predicted, n_right_words),
        "tags": tags / characters,
    }


def _labels_of(model: Tagger, texts: Sequence[str], bitmaps: Bitmaps) -> list[list[str]]:
    if model.encoder is not None:
        model.encoder.show(torch.from_numpy(bitmaps.pixels))
    predicted: list[list[str]] = []
    for start in range(0, len(texts), BLOCK):
        predicted += model.tag(character_ids(texts[start : start + BLOCK], bitmaps))
    return predicted


def _by_jieba(text: str) -> Sentence:
    """The words of jieba.posseg, with the first letters of its tags."""
    return [(pair.word, JIEBA_TAGS.get(pair.flag[0], pair.flag[0])) for pair in jieba.posseg.cut(text)]
