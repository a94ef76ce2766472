"""Documents for LSA and word2vec: blocks of words in lower case, without stop words, numbers and punctuation."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from repline.cards import write_card
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.errors import InputError
from repline.files import new_folder
from repline.systems.corpus_specificity.running_text import read_documents

WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
ROWS = 256
Block = tuple[str, int, list[str]]


def clean_documents(
    corpus: str | Path,
    folder: str | Path,
    *,
    stop_words: Collection[str] = (),
    block: int | None = 300,
    maximum_documents: int | None = None,
    seed: int = 0,
    source: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Cut the documents of a corpus into blocks, keep their words alone, and write a corpus with one row a block.

    Args:
        corpus: as `repline.systems.corpus_specificity.running_text.read_documents` takes it.
        folder: replaces what was there: part-*.parquet with `doc_id` (of the document that the block is
            from), `sentence_id` (the block's number in it) and `tokens`, and card.json.
        stop_words: left out, in lower case.
        block: tokens, before any is left out; None leaves documents whole.
        maximum_documents: blocks to keep, drawn without replacement; None for all.
        seed: of that draw.
        source: the card of the corpus, for the new card.

    Returns:
        The card.

    Raises:
        InputError: a number below 1, or a corpus that cannot be read or has no words.
    """
    for name, value in (("block", block), ("maximum_documents", maximum_documents)):
        if value is not None and value < 1:
            raise InputError(f"{name}: expected at least 1, found {value}")
    chosen = None
    if maximum_documents is not None:
        total = sum(-(-len(tokens) // (block or max(len(tokens), 1))) for _, tokens in read_documents(corpus))
        chosen = np.zeros(total, bool)
        chosen[np.random.default_rng(seed).permutation(total)[:maximum_documents]] = True
    stop_words = frozenset(stop_words)
    counts = dict.fromkeys(("documents", "empty_blocks", "tokens"), 0)
    with new_folder(folder) as partial:
        with PartWriter(partial, sentence_schema()) as writer:
            blocks = _kept(_blocks(corpus, block, stop_words), chosen, counts)
            while rows := list(islice(blocks, ROWS)):
                writer.write(_table(rows))
        if not counts["tokens"]:
            raise InputError(f"{corpus}: there are no words in it besides stop words")
        return write_card(
            partial,
            name=Path(folder).name,
            description="Blocks of running text: words in lower case, without stop words, numbers and marks",
            licence=str((source or {}).get("licence", "not stated")),
            sources=[{"corpus": dict(source)}] if source else [],
            parameters={"block": block, "maximum_documents": maximum_documents, "seed": seed},
            counts=counts | {"stop_words": len(stop_words)},
        )


def words_alone(tokens: Sequence[str], stop_words: Collection[str] = ()) -> list[str]:
    """The tokens that are letters, or letters between hyphens, in lower case, without stop words."""
    lowered = (token.lower() for token in tokens if WORD.fullmatch(token))
    return [word for word in lowered if word not in stop_words]


def _blocks(corpus: str | Path, block: int | None, stop_words: frozenset[str]) -> Iterator[Block]:
    for name, tokens in read_documents(corpus):
        size = block or max(len(tokens), 1)
        for number, start in enumerate(range(0, len(tokens), size)):
            yield name, number, words_alone(tokens[start : start + size], stop_words)


def _kept(blocks: Iterator[Block], chosen: np.ndarray | None, counts: dict[str, int]) -> Iterator[Block]:
    for ordinal, block in enumerate(blocks):
        if chosen is not None and not chosen[ordinal]:
            continue
        if not block[2]:
            counts["empty_blocks"] += 1
            continue
        counts["documents"] += 1
        counts["tokens"] += len(block[2])
        yield block


def _table(rows: Sequence[Block]) -> pa.Table:
    columns = dict(zip(("doc_id", "sentence_id", "tokens"), zip(*rows, strict=True), strict=True))
    schema = sentence_schema()
    return pa.table({field.name: pa.array(columns[field.name], field.type) for field in schema}, schema=schema)
