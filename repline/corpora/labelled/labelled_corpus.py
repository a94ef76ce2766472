"""Labelled documents as a corpus of raw documents, which `repline.corpora.entities` and any other reader can annotate.

`part-*.parquet` has a row for each document: `doc_id`, `text`, a column of lists for each kind of label, and `part`
where those who made the corpus have split it.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import Field

from repline.cards import card_or_files, write_card
from repline.corpora.labelled.document import Document
from repline.corpora.labelled.forms import READERS, Form
from repline.corpora.labelled.reuters_sgml import Damaged, read_reuters
from repline.corpora.parquet import PartWriter
from repline.errors import InputError
from repline.files import new_folder
from repline.parameters import Count

ROWS = 512  # written at once


def write_labelled(
    source: str | Path,
    folder: str | Path,
    *,
    form: Form,
    shortest: Annotated[int, Field(ge=0)] = 1,
    needed: Sequence[str] = (),
    number: Count | None = None,
    seed: int = 0,
    on_error: Literal["stop", "salvage"] = "stop",
) -> dict[str, Any]:
    """Write `folder`, a corpus of labelled documents, and its card.

    The source is read a document at a time, twice where `number` is given.

    Args:
        source: a folder with files of that form, a wordnet, or for tsv a file.
        form: what it is.
        folder: replaces what was there; it appears whole or not at all.
        shortest: documents have at least so many words, counted by blanks.
        needed: kinds of which a document has a label.
        number: of the documents left so many are drawn; None for all of them.
        seed: of the drawing.
        on_error: stop at a document that cannot be read; or salvage: leave it out, and say so on the card.

    Returns:
        the card.

    Raises:
        InputError: the source cannot be read, has no such kind, or fewer documents than `number`.
    """
    kept = None if number is None else _drawn(source, form, shortest, needed, on_error, number, seed)
    notes: list[str] = []
    documents = enumerate(_chosen(source, form, shortest, needed, on_error, notes.append))
    rows = (document for place, document in documents if kept is None or place in kept)
    kinds: dict[str, set[str]] = {}
    with new_folder(folder) as partial:
        written = _write(rows, partial, kinds)
        if not written:
            raise InputError(f"{source}: there is no document of {shortest} words or more with {_all(needed)}")
        origin = card_or_files(source)
        return write_card(
            partial,
            name=f"{origin['name']}: labelled documents",
            description=f"{origin.get('description', origin['name'])}; as documents with labels",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters={
                "form": form,
                "shortest": shortest,
                "needed": list(needed),
                "number": number,
                "seed": seed,
                "on_error": on_error,
            },
            counts={"documents": written} | {f"labels_{kind}": len(labels) for kind, labels in kinds.items()},
            notes=[f"salvaged: {note}" for note in notes],
        )


def read_labels(folder: str | Path, kinds: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """The labels of each document of a corpus: its `doc_id` -> kind -> labels, in the order of the corpus.

    Raises:
        InputError: there is no such corpus, a broken part, or no such kind.
    """
    paths = sorted(Path(folder).glob("part-*.parquet"))
    if not paths:
        raise InputError(f"{folder}: expected a corpus of labelled documents, found no part-*.parquet")
    found: dict[str, dict[str, list[str]]] = {}
    for path in paths:
        try:
            names = pq.read_schema(path).names
            _known(path, kinds, [name for name in names if name not in ("doc_id", "text", "part")])
            rows = pq.read_table(path, columns=["doc_id", *kinds]).to_pylist()
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(f"{path}: this is not a readable Parquet file ({error}); make the corpus again") from None
        found |= {row["doc_id"]: {kind: row[kind] or [] for kind in kinds} for row in rows}
    return found


def _chosen(
    source: str | Path, form: Form, shortest: int, needed: Sequence[str], on_error: str, damaged: Damaged
) -> Iterator[Document]:
    salvage = damaged if on_error == "salvage" else None
    for document in read_reuters(source, salvage) if form == "reuters" else READERS[form](source):
        _known(source, needed, document.labels)
        if len(document.text.split()) >= shortest and all(document.labels[kind] for kind in needed):
            yield document


def _drawn(
    source: str | Path, form: Form, shortest: int, needed: Sequence[str], on_error: str, number: int, seed: int
) -> set[int]:
    """The places of the documents that are drawn, among those that are chosen."""
    fitting = sum(1 for _ in _chosen(source, form, shortest, needed, on_error, lambda _: None))
    if fitting < number:
        raise InputError(
            f"{source}: {fitting} documents of {shortest} words or more with {_all(needed)}, expected {number}"
        )
    return set(np.random.default_rng(seed).permutation(fitting)[:number].tolist())


def _all(kinds: Sequence[str]) -> str:
    return " and ".join(kinds) or "any labels"


def _known(source: str | Path, kinds: Sequence[str], there: Any) -> None:
    if missing := [kind for kind in kinds if kind not in there]:
        raise InputError(f"{source}: there are no labels {', '.join(missing)}; there are {', '.join(there)}")


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
            rows = [{"doc_id": one.id, "text": one.text, "part": one.part} | dict(one.labels) for one in block]
            writer.write(pa.RecordBatch.from_pylist(rows, schema))
            block = list(islice(documents, ROWS))
        return writer.rows
