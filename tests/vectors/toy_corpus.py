"""A corpus whose words have neighbours by construction: each topic has its own words, and all share some."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TOPICS = {
    "animals": ["cat", "dog", "cow", "horse", "sheep", "goat"],
    "numbers": ["one", "two", "three", "four", "five", "six"],
    "colours": ["red", "blue", "green", "black", "white", "grey"],
}
SHARED = ["the", "of", "and", "is"]


def write(folder, sentences=900, seed=0, parts=2):
    """`part-*.parquet`; three sentences a document, all of one topic."""
    rng = np.random.default_rng(seed)
    names = list(TOPICS)
    rows = []
    for number in range(sentences):
        topic = TOPICS[names[(number // 3) % len(names)]]
        tokens = [str(word) for word in rng.choice(topic, 5)] + [str(word) for word in rng.choice(SHARED, 3)]
        rng.shuffle(tokens)
        tokens[0] = tokens[0].capitalize()
        rows.append({"doc_id": str(number // 3), "sentence_id": number % 3, "section": "", "tokens": [*tokens, "."]})
    folder.mkdir(parents=True, exist_ok=True)
    schema = pa.schema(
        {
            "doc_id": pa.string(),
            "sentence_id": pa.int32(),
            "section": pa.string(),
            "tokens": pa.list_(pa.string()),
        }
    )
    cut = np.linspace(0, sentences, parts + 1).astype(int)
    for part, (start, end) in enumerate(pairwise(cut)):
        pq.write_table(pa.Table.from_pylist(rows[start:end], schema), folder / f"part-{part:05d}.parquet")
    return folder


def topical(vectors):
    """The share of the topics' words whose five nearest words among them all are the rest of their topic."""
    words = [word for topic in TOPICS.values() for word in topic]
    matrix = np.array([vectors[word] for word in words], np.float64)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    cosines = matrix @ matrix.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = np.argsort(-cosines, axis=1)[:, :5]
    return float(np.mean([{row // 6 for row in rows} == {index // 6} for index, rows in enumerate(nearest)]))
