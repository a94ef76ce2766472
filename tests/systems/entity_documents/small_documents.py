"""A synthetic corpus: a common word tells the topic of a document, a name its place."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import write_card
from repline.corpora.parquet import sentence_schema

TOPICS = {"trade": "sell", "sport": "win"}
CITIES = {"france": "Paris", "finland": "Helsinki", "japan": "Tokyo"}


def write_small(folder: str | Path, number: int = 60, seed: int = 0) -> tuple[Path, Path]:
    """Write sentences with entities, and labels; returns both folders."""
    rng = np.random.default_rng(seed)
    sentences, labels = [], []
    for document in range(number):
        topic, where = str(rng.choice(list(TOPICS))), str(rng.choice(list(CITIES)))
        tokens = ["They", TOPICS[topic], str(document), "in", CITIES[where]]
        row = {"doc_id": f"d{document}", "sentence_id": 0, "tokens": tokens, "lemma": tokens}
        sentences.append(row | {"entity": ["O", "O", "O", "O", "B-GPE"]})
        labels.append({"doc_id": f"d{document}", "text": " ".join(tokens), "topics": [topic], "places": [where]})
    texts = pa.list_(pa.string())
    schema = pa.schema([("doc_id", pa.string()), ("text", pa.string()), ("topics", texts), ("places", texts)])
    tables = {
        "documents": pa.Table.from_pylist(sentences, schema=sentence_schema(["lemma", "entity"])),
        "labels": pa.Table.from_pylist(labels, schema=schema),
    }
    for name, table in tables.items():
        table_folder = Path(folder) / name
        table_folder.mkdir(parents=True)
        pq.write_table(table, table_folder / "part-00000.parquet")
        write_card(table_folder, name=name, description=name, licence="CC0", sources=[], parameters={}, counts={})
    return Path(folder) / "documents", Path(folder) / "labels"
