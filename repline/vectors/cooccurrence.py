"""How often words occur in documents and near each other, counted from a stream into sparse matrices."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from repline.vectors.recipes import Documents
from repline.vectors.tokens import Tokens

COLUMNS = {"document": ("doc_id",), "section": ("doc_id", "section"), "sentence": ()}
MAX_WAITING = 8 << 20  # co-occurrences that are collected before they are summed
NO_BLOCK = 1 << 62  # tokens of a block that holds any document whole


def term_documents(
    tokens: Tokens, words: list[str], *, documents: Documents = "document", block: int | None = None
) -> sparse.csr_array:
    """Counts of each word in each document: float64 [V, N], documents in the order of the corpus.

    Rows of one document have to follow each other. A document without any of the words is an empty column.

    Args:
        words: V words, as `Tokens.vocabulary` gives them.
        documents, block: what a document is, see `repline.vectors.recipes.LSA`.

    Raises:
        InputError: the corpus lacks the columns that tell documents apart, or cannot be read.
    """
    sums = _Sums(len(words))
    size = NO_BLOCK if block is None else block
    current, position, first = None, 0, -1  # the document, how many of its tokens are read, its first column
    for ids, lengths, batch in tokens.numbered(words, *COLUMNS[documents]):
        names = _names(batch, COLUMNS[documents])
        firsts, starts = np.empty(len(lengths), np.int64), np.empty(len(lengths), np.int64)
        for row, length in enumerate(lengths.tolist()):
            if names is None or names[row] != current:
                first += _columns(position, size)
                current, position = names[row] if names else None, 0
            firsts[row], starts[row] = first, position
            position += length
        in_row = np.arange(len(ids)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        columns = np.repeat(firsts, lengths) + (np.repeat(starts, lengths) + in_row) // size
        is_known = ids >= 0
        sums.add(ids[is_known], columns[is_known])
    return sums.result(first + _columns(position, size))


def term_contexts(tokens: Tokens, words: list[str], *, window: int) -> sparse.csr_array:
    """Co-occurrence counts of words at most `window` apart within one row of the corpus: float64 [V, V], symmetric.

    Words outside the vocabulary are counted as distance, but not as co-occurrences.
    """
    sums = _Sums(len(words))
    for ids, lengths, _ in tokens.numbered(words):
        rows = np.repeat(np.arange(len(lengths)), lengths)
        for distance in range(1, window + 1):
            earlier, later = ids[:-distance], ids[distance:]
            pairs = (rows[:-distance] == rows[distance:]) & (earlier >= 0) & (later >= 0)
            sums.add(earlier[pairs], later[pairs])
            sums.add(later[pairs], earlier[pairs])
    return sums.result(len(words))


class _Sums:
    """Counts of pairs (word, context), summed from time to time so that memory is that of the sparse matrix."""

    def __init__(self, words: int) -> None:
        self.words = words
        self.keys = np.empty(0, np.int64)  # context * words + word, ascending
        self.counts = np.empty(0, np.int64)
        self.loose: list[np.ndarray] = []
        self.waiting = 0

    def add(self, words: np.ndarray, contexts: np.ndarray) -> None:
        self.loose.append(contexts.astype(np.int64) * self.words + words)
        self.waiting += len(words)
        if self.waiting >= MAX_WAITING:
            self.sum()

    def sum(self) -> None:
        keys, counts = np.unique(np.concatenate([np.empty(0, np.int64), *self.loose]), return_counts=True)
        merged, where = np.unique(np.concatenate([self.keys, keys]), return_inverse=True)
        totals = np.zeros(len(merged), np.int64)
        np.add.at(totals, where, np.concatenate([self.counts, counts]))
        self.keys, self.counts, self.loose, self.waiting = merged, totals, [], 0

    def result(self, contexts: int) -> sparse.csr_array:
        self.sum()
        coordinates = (self.keys % self.words, self.keys // self.words)
        return sparse.coo_array((self.counts.astype(np.float64), coordinates), shape=(self.words, contexts)).tocsr()


def _names(batch: pa.RecordBatch, columns: tuple[str, ...]) -> list[tuple[str, ...]] | None:
    if not columns:
        return None
    return list(zip(*(pc.cast(batch.column(name), pa.string()).to_pylist() for name in columns), strict=True))


def _columns(tokens: int, size: int) -> int:
    """How many blocks of `size` a document takes; one if it is empty."""
    return max(1, -(-tokens // size))
