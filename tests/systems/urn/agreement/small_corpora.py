"""Parsed corpora of a few sentences, and what is read back of the agreement corpora made from them."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

from repline.reading import conllu
from repline.systems.urn.settings import AgreementCorpus

RULES = AgreementCorpus(source="raw/made", minimum_count=2, maximum_tokens=50, test_share=0.25, seed=1)


def card(folder, **more):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "card.json").write_text(json.dumps({"name": "made", "licence": "CC0"} | more))
    return folder


def parsed(text):
    words = [word.split("/") for word in text.split()]
    tokens, tags, heads, deps = map(list, zip(*words, strict=True))
    return {"tokens": tokens, "tag": tags, "head": [int(head) for head in heads], "dep": deps}


DOG = parsed("The/DT/1/det dog/NN/2/nsubj barks/VBZ/-1/ROOT")
CATS = parsed("The/DT/1/det Cats/NNS/4/nsubj of/IN/1/prep Rome/NNP/2/pobj sleep/VBP/-1/ROOT")


def corpus(folder, documents=20, sentences=(DOG, CATS), files=2):
    card(folder)
    rows = [
        {"doc_id": f"document {document}", "sentence_id": number} | sentence
        for document in range(documents)
        for number, sentence in enumerate(sentences)
    ]
    schema = pa.schema([field for field in conllu.SCHEMA if field.name not in ("lemma", "pos")])
    size = -(-len(rows) // files)
    for file in range(files):
        part = pa.Table.from_pylist(rows[file * size : (file + 1) * size], schema)
        pq.write_table(part, folder / f"part-{file:05}.parquet")
    return folder


def read(folder, name):
    return pq.read_table(folder / f"{name}.parquet").to_pylist()


def vocabulary(folder):
    return {row["word"]: row for row in read(folder, "vocabulary")}
