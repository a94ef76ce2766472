"""CoNLL-U treebanks as annotated corpora.

Source: the CoNLL-U format of Universal Dependencies, https://universaldependencies.org/format.html
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from repline.errors import InputError
from repline.text_files import numbered_lines

SCHEMA = pa.schema(
    [("doc_id", pa.string()), ("sentence_id", pa.int32())]
    + [(name, pa.list_(pa.string())) for name in ("tokens", "lemma", "pos", "tag")]
    + [("head", pa.list_(pa.int32())), ("dep", pa.list_(pa.string()))]
)

_FIELDS = 10  # ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC


def read(paths: Sequence[str | Path]) -> Iterator[dict[str, Any]]:
    """The sentences of CoNLL-U files, plain or `.gz`, one after the other.

    Tokens are the syntactic words: the range line of a multiword token (`1-2`) and empty nodes (`1.1`) are left out.
    An underscore in LEMMA, UPOS, XPOS or DEPREL means "not given" and becomes None, except as the lemma of `_`.
    A document is what `# newdoc id` opens; where there is none, what the sentences' `sent_id` have in common before
    their last hyphen; and where there is no `sent_id` either, the file.

    Returns:
        mappings with the columns of SCHEMA; `head` counts from 0 and is -1 at the root; `sentence_id` counts from 0
        in each document.

    Raises:
        InputError: a line that is not CoNLL-U, naming file and line; or a file that cannot be read.
    """
    for path in map(Path, paths):
        document, named, number_in_document = path.name.split(".")[0], False, 0
        rows: list[tuple[int, list[str]]] = []
        for number, line in _closed(path):
            if line.startswith("#") and not rows:
                key, _, value = (part.strip() for part in line[1:].partition("="))
                if key in ("newdoc", "newdoc id"):
                    named = bool(value)
                if key == "newdoc id" or (key == "sent_id" and not named and "-" in value):
                    new = value if key == "newdoc id" else value.rpartition("-")[0]
                    if new != document:
                        document, number_in_document = new, 0
            elif line:
                rows.append((number, line.split("\t")))
            elif rows:
                yield {"doc_id": document, "sentence_id": number_in_document} | _sentence(path, rows)
                number_in_document += 1
                rows = []


def record_batches(paths: Sequence[str | Path], size: int = 4096) -> Iterator[pa.RecordBatch]:
    """The sentences of CoNLL-U files in batches of at most `size` with the schema SCHEMA; see `read`."""
    rows = []
    for sentence in read(paths):
        rows.append(sentence)
        if len(rows) == size:
            yield pa.RecordBatch.from_pylist(rows, SCHEMA)
            rows = []
    if rows:
        yield pa.RecordBatch.from_pylist(rows, SCHEMA)


def _closed(path: Path) -> Iterator[tuple[int, str]]:
    """The lines, with a blank one at the end: the last sentence of a file often lacks it."""
    number = 0
    for number, line in numbered_lines(path):
        yield number, line
    yield number + 1, ""


def _sentence(path: Path, rows: list[tuple[int, list[str]]]) -> dict[str, Any]:
    words: list[tuple[int, list[str]]] = []
    for number, fields in rows:
        if len(fields) != _FIELDS:
            raise InputError(f"{path}, line {number}: expected {_FIELDS} fields separated by tabs, found {len(fields)}")
        if any(mark in fields[0] for mark in "-."):
            continue
        if fields[0] != str(len(words) + 1):
            raise InputError(f"{path}, line {number}: expected word number {len(words) + 1}, found {fields[0]!r}")
        words.append((number, fields))
    if not words:
        raise InputError(f"{path}, line {rows[0][0]}: this sentence has no words")
    heads = []
    for number, fields in words:
        if not fields[6].isdecimal() or int(fields[6]) > len(words) or fields[6] == fields[0]:
            raise InputError(
                f"{path}, line {number}: expected a head from 0 to {len(words)} other than the word itself, "
                f"found {fields[6]!r}"
            )
        heads.append(int(fields[6]) - 1)
    return {
        "tokens": [fields[1] for _, fields in words],
        "lemma": [None if fields[2] == "_" != fields[1] else fields[2] for _, fields in words],
        "pos": [None if fields[3] == "_" else fields[3] for _, fields in words],
        "tag": [None if fields[4] == "_" else fields[4] for _, fields in words],
        "head": heads,
        "dep": [None if fields[7] == "_" else fields[7] for _, fields in words],
    }
