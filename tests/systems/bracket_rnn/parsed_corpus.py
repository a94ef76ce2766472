"""A synthetic corpus with a dependency parse in spaCy's labels, for tests."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.corpora.parquet import sentence_schema
from repline.systems.bracket_rnn.settings import Constituents

CARD = json.dumps({"name": "made", "licence": "CC0", "files": []})
NOUNS = ["report", "agreement", "garden", "engine", "(", "letter"]
PREPOSITIONS, VERBS = ["of", "in"], ["circulated", "slept", "vanished"]
OPTIONAL = ["prep", "amod"]


def sentence(random):
    """tokens, heads and relations of a sentence like `the old report of the engine vanished .`"""
    tokens, heads, relations = [], [], []

    def noun_phrase(head, relation, depth):
        tokens.append("the")
        if random.random() < 0.4:
            tokens.append("old")
        noun = len(tokens)
        tokens.append(NOUNS[random.integers(len(NOUNS))])
        heads.extend([noun] * (noun - len(heads)) + [head])
        relations.extend(["det", "amod"][: noun - len(relations)])
        relations.append(relation)
        if depth < 3 and random.random() < 0.5:
            preposition = len(tokens)
            tokens.append(PREPOSITIONS[random.integers(2)])
            heads.append(noun)
            relations.append("prep")
            noun_phrase(preposition, "pobj", depth + 1)
        return noun

    subject = noun_phrase(None, "nsubj", 0)
    verb = len(tokens)
    heads[subject] = verb
    tokens.extend([VERBS[random.integers(3)], "."])
    heads.extend([-1, verb])
    relations.extend(["ROOT", "punct"])
    return tokens, heads, relations


def write(folder, documents=20, sentences=12, seed=0, without=()):
    """An annotated corpus in `folder`; returns it."""
    random = np.random.default_rng(seed)
    rows = []
    for document in range(documents):
        for number in range(sentences):
            tokens, heads, relations = sentence(random)
            pos = ["PUNCT" if token in ".(" else "X" for token in tokens]
            rows.append({"doc_id": f"d{document}", "sentence_id": number, "tokens": tokens})
            rows[-1] |= {"pos": pos, "head": heads, "dep": relations}
    schema = sentence_schema([name for name in ("pos", "head", "dep") if name not in without])
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema), folder / "part-00000.parquet")
    (folder / "card.json").write_text(CARD)
    return folder


def constituents(optional=OPTIONAL):
    """The settings that take all words of these relations for optional."""
    return Constituents(scheme="own", schemes={"own": {"optional": list(optional), "required": []}})
