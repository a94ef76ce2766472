"""Conversations and pairs of inference that are small enough for a training of a second."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.corpora.dialogue.conversation_corpus import ROWS
from repline.corpora.sentence_pairs.pair_corpus import ROWS as PAIRS

TOPICS = {name: [f"{name}{number}" for number in range(4)] for name in ("tea", "cat", "sun", "car", "sea", "hat")}
MODEL = {"vocabulary": 100, "dimensions": 8, "buckets": 20, "layers": [8, 6], "replies": [6], "hidden": 5}
RECIPE = MODEL | {
    "every": 2,
    "pairs_batch": 6,
    "mask_duplicates": True,
    "epochs": 2,
    "learning_rate": 0.01,
    "batch": 16,
}


def write_turns(folder, conversations=60, seed=0):
    """Conversations of four turns, each about a topic: a reply has words of the topic, but not those of the message."""
    random, rows = np.random.default_rng(seed), {name: [] for name in ROWS.names}
    for number in range(conversations):
        words = TOPICS[list(TOPICS)[random.integers(len(TOPICS))]]
        for turn in range(4):
            half = words[:2] if turn % 2 else words[2:]
            tokens = [half[random.integers(2)], half[random.integers(2)], "and"]
            split = {0: "test", 1: "dev"}.get(number % 5, "train")
            for column, value in zip(rows.values(), (f"c{number}", turn, tokens, split, True), strict=True):
                column.append(value)
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(rows, schema=ROWS), folder / "part-00000.parquet")


def write_pairs(folder, rows):
    """A corpus of pairs; rows: split, first, second, label, score, group."""
    columns = {name: [] for name in PAIRS.names}
    for number, (split, first, second, label, score, group) in enumerate(rows):
        values = (str(number), split, group, first, second, first.split(), second.split(), label, score)
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns, schema=PAIRS), folder / "part-00000.parquet")


def inference_rows():
    """Pairs of sentences about one topic or two, in all splits."""
    names = list(TOPICS)
    for split in ("train", "dev", "test"):
        for number in range(6):
            topic, other_topic = TOPICS[names[number]], TOPICS[names[number - 1]]
            yield split, f"{topic[0]} and", f"{topic[1]} and", "same", None, ""
            yield split, f"{topic[0]} and", f"{other_topic[2]} and", "other", None, ""
