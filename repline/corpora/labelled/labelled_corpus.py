"""Labelled documents as a corpus of raw documents, which `repline.corpora.entities` and any other reader can annotate.

`part-*.parquet` has a row for each document: `doc_id`, `text`, a column of lists for each kind of label, and `part`
where those who made the corpus have split it.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, card_or_files, write_card
from repline.corpora.labelled.collections.reuters_sgml import read_reuters
from repline.corpora.labelled.document import Document
from repline.corpora.labelled.forms import LINE_READERS, READERS, read_tsv
from repline.corpora.labelled.recipes import LabelledCorpus
from repline.corpora.parquet import PartWriter
from repline.errors import InputError, in_one_line, readable
from repline.files import new_folder
from repline.reading.text_cleaning import clean_text
from repline.reading.wrong_records import LeftOut

ROWS = 512  # written at once


def write_labelled(source: str | Path, folder: str | Path, corpus: LabelledCorpus) -> Card:
    """Write `folder`, a corpus of labelled documents, and its card.

    The source is read a document at a time, twice where documents are drawn.

    Args:
        source: a folder with files of the corpus's form, a wordnet, or for tsv a file.
        folder: replaces what was there; it appears whole or not at all.
        corpus: which documents it has.

    Returns:
        the card.

    Raises:
        InputError: the source cannot be read, has no such kind, or fewer documents than are to be drawn.
    """
    drawn = None if corpus.number is None else _drawn(source, corpus, corpus.number)
    left_out = LeftOut(corpus.on_error)
    rows = (
        document
        for number, document in enumerate(_chosen(source, corpus, left_out))
        if drawn is None or number in drawn
    )
    kinds: dict[str, set[str]] = {}
    with new_folder(folder) as partial:
        documents = _write(rows, partial, kinds)
        if not documents:
            raise InputError(
                f"{source}: there is no document of {corpus.shortest} words or more with {_all(corpus.needed)}"
            )
        origin = card_or_files(source)
        return write_card(
            partial,
            name=f"{origin['name']}: labelled documents",
            description=f"{origin.get('description', origin['name'])}; as documents with labels",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters=corpus.model_dump(include=set(LabelledCorpus.model_fields) - {"encoding", "head"})
            | corpus.model_dump(include={"encoding", "head"}, exclude_defaults=True),
            counts={"documents": documents}
            | {f"labels_{kind}": len(labels) for kind, labels in kinds.items()}
            | left_out.counts(),
            notes=left_out.notes(),
        )


def read_labels(folder: str | Path, kinds: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """The labels of each document of a corpus: its `doc_id` -> kind -> labels, in the order of the corpus.

    Raises:
        InputError: there is no such corpus, a broken part, or no such kind.
    """
    paths = sorted(Path(folder).glob("part-*.parquet"))
    if not paths:
        raise InputError(f"{folder}: expected a corpus of labelled documents, found no part-*.parquet")
    labels: dict[str, dict[str, list[str]]] = {}
    for path in paths:
        try:
            names = pq.read_schema(path).names
            _check_kinds(path, kinds, [name for name in names if name not in ("doc_id", "text", "part")])
            rows = pq.read_table(path, columns=["doc_id", *kinds]).to_pylist()
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(
                f"{path}: this is not a readable Parquet file ({in_one_line(error)}); make the corpus again"
            ) from None
        labels |= {row["doc_id"]: {kind: row[kind] or [] for kind in kinds} for row in rows}
    return labels


def _documents(source: str | Path, corpus: LabelledCorpus, left_out: LeftOut) -> Iterator[Document]:
    if corpus.form == "reuters":
        return read_reuters(source, left_out)
    if corpus.form == "tsv":
        return read_tsv(source, on_error=left_out, encoding=corpus.encoding, head=corpus.head)
    if corpus.form in LINE_READERS:
        return LINE_READERS[corpus.form](source, on_error=left_out, encoding=corpus.encoding)
    return READERS[corpus.form](source)


def _chosen(source: str | Path, corpus: LabelledCorpus, left_out: LeftOut) -> Iterator[Document]:
    for document in _documents(source, corpus, left_out):
        _check_kinds(source, corpus.needed, document.labels)
        document = document._replace(text=clean_text(document.text, left_out.invisible))
        long_enough = len(document.text.split()) >= corpus.shortest
        if long_enough and all(document.labels[kind] for kind in corpus.needed):
            yield document


def _drawn(source: str | Path, corpus: LabelledCorpus, number: int) -> set[int]:
    """The numbers of the documents that are drawn, among those that are chosen."""
    documents = sum(1 for _ in _chosen(source, corpus, LeftOut(corpus.on_error)))
    if documents < number:
        raise InputError(
            f"{source}: {documents} documents of {corpus.shortest} words or more with {_all(corpus.needed)}, "
            f"expected {number}"
        )
    return set(np.random.default_rng(corpus.seed).permutation(documents)[:number].tolist())


def _all(kinds: Sequence[str]) -> str:
    return " and ".join(kinds) or "any labels"


def _check_kinds(source: str | Path, kinds: Sequence[str], there: Any) -> None:
    if missing := [kind for kind in kinds if kind not in there]:
        raise InputError(f"{source}: expected the labels {', '.join(missing)}, found {readable(', '.join(there))}")


def _write(documents: Iterator[Document], folder: Path, kinds: dict[str, set[str]]) -> int:
    """Write the documents, collect the labels of each kind, return how many documents there are."""
    block = list(islice(documents, ROWS))
    kinds.update({kind: set() for kind in block[0].labels} if block else {})
    texts = pa.list_(pa.string())
    part = [("part", pa.string())] if block and block[0].part else []
    schema = pa.schema([("doc_id", pa.string()), ("text", pa.string()), *part, *((kind, texts) for kind in kinds)])
    with PartWriter(folder, schema, repetitive=False) as writer:
        while block:
            for document in block:
                for kind, labels in kinds.items():
                    labels.update(document.labels[kind])
            rows = [
                {"doc_id": document.id, "text": document.text, "part": document.part} | dict(document.labels)
                for document in block
            ]
            writer.write(pa.RecordBatch.from_pylist(rows, schema))
            block = list(islice(documents, ROWS))
        return writer.rows
