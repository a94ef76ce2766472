"""Smaller corpora: remove documents at random, or only documents without any word of a test."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from repline.corpora.parquet import PartWriter, sentence_schema
from repline.errors import InputError
from repline.files import new_folder
from repline.vectors.cooccurrence import term_documents
from repline.vectors.tokens import Tokens

Ids = NDArray[np.int64]


def documents_with_words(documents: str | Path, words: Sequence[str]) -> sparse.csr_array:
    """A bool matrix [T, N]: whether each of N documents holds each of T words; a row of the corpus is a document."""
    counts = term_documents(Tokens(documents, lower=False), list(words), documents="sentence")
    return sparse.csr_array(counts > 0)


def domain(word_in_document: sparse.csr_array) -> Ids:
    """D_T, the documents with at least one word of the test, ascending.

    Args:
        word_in_document: bool [T, N], as `documents_with_words` gives it.
    """
    return np.unique(word_in_document.indices).astype(np.int64)


def domain_sizes(documents: str | Path, tests: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """|D_T| of several tests, by name, each with its words."""
    return {name: len(domain(documents_with_words(documents, words))) for name, words in tests.items()}


def sizes(word_in_document: sparse.csr_array, steps: int) -> list[int]:
    """`steps` sizes at even distances from |D_T|, which is the first, to |D|, which is left out."""
    smallest, total = len(domain(word_in_document)), word_in_document.shape[1]
    return sorted({int(size) for size in np.linspace(smallest, total, steps, endpoint=False).round()} - {total})


def remove_out_of_domain(word_in_document: sparse.csr_array, size: int, *, seed: int) -> Ids:
    """The documents left after random ones without any word of the test are removed.

    All of D_T stays, and the corpora of one seed lie in each other: a larger one holds a smaller one.

    Args:
        word_in_document: bool [T, N], as `documents_with_words` gives it.
        size: n documents, |D_T| to N.
        seed: of the order in which documents leave.

    Returns:
        [n] numbers of documents, ascending.

    Raises:
        InputError: n is less than |D_T|, or more than N.

    Source: Altszyler, Sigman & Fernández Slezak 2018, section 2.
    """
    inside, total = domain(word_in_document), word_in_document.shape[1]
    if not len(inside) <= size <= total:
        raise InputError(
            f"expected a size from {len(inside)} (the documents with a word of the test) to {total}, found {size}"
        )
    outside = np.setdiff1d(np.arange(total), inside, assume_unique=True)
    order = np.random.default_rng(seed).permutation(outside)
    return np.sort(np.concatenate([inside, order[: size - len(inside)]]))


def remove_random(word_in_document: sparse.csr_array, size: int, *, seed: int) -> Ids:
    """The documents left after random ones are removed, such that every word of the test still occurs.

    For each word that is missing, one of its documents takes the place of a random one that is not the last to hold
    another word of the test.

    Args:
        word_in_document: bool [T, N]; every word has a document.
        size: n documents, at most N.
        seed: of the order in which documents leave, and of the exchanges.

    Returns:
        [n] numbers of documents, ascending.

    Raises:
        InputError: n is more than N, a word is in no document, or n documents chosen so cannot hold every word.

    Source: Altszyler, Sigman & Fernández Slezak 2018, section 2.
    """
    words, total = word_in_document.shape
    if not 1 <= size <= total:
        raise InputError(f"expected a size from 1 to {total}, found {size}")
    if (np.diff(word_in_document.indptr) == 0).any():
        raise InputError(
            f"word {int(np.argmin(np.diff(word_in_document.indptr)))} of the test is in no document of the corpus"
        )
    random = np.random.default_rng(seed)
    stays = np.zeros(total, bool)
    stays[random.permutation(total)[:size]] = True
    by_document = sparse.csc_array(word_in_document)
    holders = word_in_document.astype(np.int64) @ stays.astype(np.int64)  # [T]: how many documents hold each word
    for word in np.flatnonzero(holders == 0):
        if holders[word]:
            continue  # came with another word's document
        start, end = word_in_document.indptr[word : word + 2]
        incoming = int(random.choice(word_in_document.indices[start:end]))
        stays[incoming] = True
        np.add.at(holders, _words(by_document, incoming), 1)
        last = np.zeros(words, np.int64)
        last[holders == 1] = 1
        free = stays & (by_document.T.astype(np.int64) @ last == 0)
        free[incoming] = False
        if not free.any():
            raise InputError(f"{size} documents cannot hold all {words} words of the test; take a larger size")
        outgoing = int(random.choice(np.flatnonzero(free)))
        stays[outgoing] = False
        np.subtract.at(holders, _words(by_document, outgoing), 1)
    return np.flatnonzero(stays).astype(np.int64)


def write_documents(documents: str | Path, folder: str | Path, selected: Ids, *, drop: Collection[str] = ()) -> None:
    """Write some rows of a corpus as a corpus: part-*.parquet in `folder`, all or nothing, a batch in memory.

    Args:
        documents: a corpus of one row a document.
        selected: numbers of the rows that stay, ascending.
        drop: words that leave the rows.
    """
    dropped = pa.array(sorted(drop), pa.string())
    start = 0
    with new_folder(folder) as partial, PartWriter(partial, sentence_schema()) as writer:
        for batch in Tokens(documents).batches("doc_id", "sentence_id"):
            first, last = np.searchsorted(selected, [start, start + len(batch)])
            rows = pa.table(batch).select(sentence_schema().names).take(pa.array(selected[first:last] - start))
            start += len(batch)
            writer.write(_without(rows, dropped) if len(dropped) else rows)


def _words(by_document: sparse.csc_array, document: int) -> NDArray:
    return by_document.indices[by_document.indptr[document] : by_document.indptr[document + 1]]


def _without(rows: pa.Table, dropped: pa.Array) -> pa.Table:
    lists = rows["tokens"].combine_chunks()
    flat = lists.flatten()
    stays = pc.invert(pc.is_in(flat, value_set=dropped)).to_numpy(zero_copy_only=False)
    ends = np.concatenate([[0], np.cumsum(stays)])[np.concatenate([[0], np.cumsum(lists.value_lengths().to_numpy())])]
    left = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), flat.filter(pa.array(stays)))
    return rows.set_column(rows.column_names.index("tokens"), "tokens", left)


REMOVALS = {"out_of_domain": remove_out_of_domain, "random": remove_random}


@dataclass(frozen=True)
class Subcorpus:
    """Some documents of a corpus.

    Attributes:
        method: "full", "out_of_domain" or "random".
        size: n documents.
        sample: which of the draws; the seed of the removal, and of the training.
        documents: [n] numbers of rows, ascending.
    """

    method: str
    size: int
    sample: int
    documents: Ids


def subcorpora(word_in_document: sparse.csr_array, steps: int, samples: int) -> Iterator[Subcorpus]:
    """The full corpus, and what the two removals leave of it, `samples` times each.

    Args:
        word_in_document: bool [T, N], which of the N documents holds which of the T words of a test.
        steps: sizes of the smaller corpora, evenly spaced from |D_T|.
        samples: draws of each; of the full corpus, which is always the same, trainings.
    """
    total = word_in_document.shape[1]
    for sample in range(samples):
        yield Subcorpus("full", total, sample, np.arange(total))
    for size in sizes(word_in_document, steps):
        for method, removal in REMOVALS.items():
            for sample in range(samples):
                yield Subcorpus(method, size, sample, removal(word_in_document, size, seed=sample))
