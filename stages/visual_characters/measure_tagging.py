"""Taggers on the test sentences of a corpus, beside the most frequent label and jieba."""

import logging
from typing import Any

import jieba.posseg
import numpy as np
import torch

from repline.evaluation.replication.bootstrap import bootstrap
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.glyphs import bitmaps as glyphs
from repline.pretrained import pretrained
from repline.systems.visual_characters.character_numbers import character_ids
from repline.systems.visual_characters.corpus import read_rows
from repline.systems.visual_characters.evaluation import Counts, tagging_items, tagging_scores
from repline.systems.visual_characters.tagging.tagged_text import MostFrequentLabel, Sentence, labels
from repline.systems.visual_characters.tagging.tagger import Tagger
from stages.visual_characters import paths
from stages.visual_characters.measure_glosses import Measured, record

jieba.setLogLevel(logging.ERROR)
BLOCK = 100  # sentences at a time
JIEBA = {"x": "w", "e": "n"}  # its tags of punctuation, and of Latin words (eng), in the corpus's tags


def tagging(corpus: str, runs_of: dict[str, list], bitmaps: glyphs.Bitmaps, pku_tags: bool) -> Measured:
    """F1 of words with tags, of words, and accuracy of tags, by encoder and mode; `baseline` and `jieba` beside them.

    Args:
        runs_of: encoder and mode -> folders of the taggers of all seeds.
        pku_tags: whether jieba's tags are those of the corpus; else only its words are judged.
    """
    parts = {name: [_sentence(row) for row in rows] for name, rows in _rows(corpus, bitmaps).items()}
    texts = ["".join(word for word, _ in sentence) for sentence in parts["test"]]
    gold = [labels(sentence) for sentence in parts["test"]]
    characters = np.array([len(text) for text in texts])
    baseline = MostFrequentLabel(parts["train"])
    counts: dict[str, list[Counts]] = {
        "baseline": [tagging_items(gold, [baseline(text) for text in texts])],
        "jieba": [tagging_items(gold, [labels(_jieba(text)) for text in texts])],
    }
    for name, folders in runs_of.items():
        counts[name] = [tagging_items(gold, _tagged(pretrained(Tagger, run), texts, bitmaps)) for run in folders]
    most = max(map(len, counts.values()))
    runs = [{name: of[seed % len(of)] for name, of in counts.items()} for seed in range(most)]

    def measure(run: dict[str, Counts], rows: np.ndarray) -> dict[str, Any]:
        number = int(characters[rows].sum())
        found: dict[str, Any] = {name: tagging_scores(items[rows].sum(0), number) for name, items in run.items()}
        if not pku_tags:
            found["jieba"] = {"words": found["jieba"]["words"]}
        return found

    metrics = mean_of_runs([measure(run, np.arange(len(texts))) for run in runs])
    for name, folders in runs_of.items():
        metrics[name] |= record(folders[0].parent)
    sizes = {name: len(part) for name, part in parts.items()}
    return metrics | {"sentences": sizes}, bootstrap(measure, runs, len(texts))


def _rows(corpus: str, bitmaps: glyphs.Bitmaps) -> dict[str, list[dict[str, Any]]]:
    return read_rows(paths.tagged(corpus), "tagged", bitmaps)


def _sentence(row: dict[str, Any]) -> Sentence:
    return list(zip(row["tokens"], row["tag"], strict=True))


def _tagged(model: Tagger, texts: list[str], bitmaps: glyphs.Bitmaps) -> list[list[str]]:
    if model.encoder is not None:
        model.encoder.show(torch.from_numpy(bitmaps.pixels))
    found: list[list[str]] = []
    for start in range(0, len(texts), BLOCK):
        found += model.tag(character_ids(texts[start : start + BLOCK], bitmaps))
    return found


def _jieba(text: str) -> Sentence:
    """What jieba.posseg gives, with the first letters of its tags."""
    return [(pair.word, JIEBA.get(pair.flag[0], pair.flag[0])) for pair in jieba.posseg.cut(text)]
