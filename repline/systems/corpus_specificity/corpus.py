"""Documents for LSA and word2vec: blocks of words in lower case, without stop words, numbers and punctuation."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa

from repline.cards import Card, read_card, write_card
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.errors import InputError
from repline.files import new_folder
from repline.systems.corpus_specificity.running_text import read_documents, read_stop_words
from repline.systems.corpus_specificity.settings import Documents

WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
ROWS = 256
Block = tuple[str, int, list[str]]


def write_data(folder: str | Path, corpus: str | Path, documents: Documents) -> Card:
    """Write the documents of a corpus without the stop words that `documents` names, and return their card.

    Raises:
        InputError: see `clean_documents`; or the stop words cannot be read.
    """
    if documents.stop_words == "nltk":
        return clean_documents(folder, corpus, documents, read_stop_words(corpus))
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # a second of imports

    return clean_documents(folder, corpus, documents, ENGLISH_STOP_WORDS)


def clean_documents(
    folder: str | Path, corpus: str | Path, documents: Documents, stop_words: Collection[str] = ()
) -> Card:
    """Cut the documents of a corpus into blocks, keep their words alone, and write a corpus with one row a block.

    Args:
        folder: replaces what was there: part-*.parquet with `doc_id` (of the document that the block is
            from), `sentence_id` (the block's number in it) and `tokens`, and card.json.
        corpus: as `repline.systems.corpus_specificity.running_text.read_documents` takes it.
        documents: how long blocks are, and how many.
        stop_words: left out, in lower case.

    Returns:
        The card.

    Raises:
        InputError: a corpus that cannot be read or has no words.
    """
    corpus, block = Path(corpus), documents.block
    is_selected = None
    if documents.maximum_documents is not None:
        total = sum(-(-len(tokens) // (block or max(len(tokens), 1))) for _, tokens in read_documents(corpus))
        is_selected = np.zeros(total, bool)
        order = np.random.default_rng(documents.seed).permutation(total)
        is_selected[order[: documents.maximum_documents]] = True
    source = read_card(corpus) if (corpus / "card.json").exists() else None
    stop_words = frozenset(stop_words)
    counts = dict.fromkeys(("documents", "empty_blocks", "tokens"), 0)
    with new_folder(folder) as partial:
        with PartWriter(partial, sentence_schema()) as writer:
            blocks = _kept(_blocks(corpus, block, stop_words), is_selected, counts)
            while rows := list(islice(blocks, ROWS)):
                writer.write(_table(rows))
        if not counts["tokens"]:
            raise InputError(f"{corpus}: there are no words in it except stop words")
        return write_card(
            partial,
            name=Path(folder).name,
            description="Blocks of running text: words in lower case, without stop words, numbers and marks",
            licence=str((source or {}).get("licence", "not stated")),
            sources=[{"corpus": source}] if source else [],
            parameters=documents.model_dump(exclude={"stop_words"}),
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


def _kept(blocks: Iterator[Block], is_selected: np.ndarray | None, counts: dict[str, int]) -> Iterator[Block]:
    for ordinal, block in enumerate(blocks):
        if is_selected is not None and not is_selected[ordinal]:
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
