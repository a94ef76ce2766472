"""Forty words with vectors, and a corpus folder of their counts and of sentences, as `corpus.prepare` writes it."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.corpora.sentence_pairs.scored_pairs import PAIRS
from repline.systems.usif.corpus import REFERENCE as REFERENCE_SCHEMA
from repline.vectors import store

WORDS = [f"w{number}" for number in range(40)]
RANDOM = np.random.default_rng(1)
VECTORS = RANDOM.normal(size=(40, 6)).astype(np.float32)
COUNTS = (40_000 / np.arange(1, 41) ** 2).astype(int)
REFERENCE = [RANDOM.choice(WORDS, 4).tolist() for _ in range(30)]


def write_small(root, reference=REFERENCE):
    """Write the vectors and the corpus into a folder; the pairs have the sentences of `REFERENCE`."""
    store.save(root / "vectors", WORDS, VECTORS)
    corpus = root / "corpus"
    corpus.mkdir()
    pq.write_table(pa.table({"word": WORDS, "count": COUNTS}), corpus / "unigrams.parquet")
    pq.write_table(pa.table({"tokens": reference}, schema=REFERENCE_SCHEMA), corpus / "reference.parquet")
    rows = [("t", "f", number, tokens, tokens, 1.0, None) for number, tokens in enumerate(REFERENCE)]
    columns = dict(zip(PAIRS.names, map(list, zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table(columns, schema=PAIRS), corpus / "pairs.parquet")
    return root / "vectors", corpus
