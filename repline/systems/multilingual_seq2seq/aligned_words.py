"""A baseline without a network: means of word vectors that one decomposition of the bitext aligns across languages.

A row of X is a text in all its languages at once, a column a word, X = log(1 + count) idf with rows of unit length. The
truncated decomposition X ~ U_k S_k V_k^T puts words that occur in the same texts near each other, across languages; a
sentence is the mean of idf_w V_k[w].

Source: Landauer & Littman 1990, "Fully automatic cross-language document retrieval using latent semantic indexing".
"""

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.extmath import randomized_svd

from repline.systems.multilingual_seq2seq.corpus import Data
from repline.systems.multilingual_seq2seq.splits import part_of


def aligned_word_vectors(data: Data, *, dimensions: int, seed: int = 0) -> NDArray[np.float32]:
    """Word vectors [V, k] from the training texts; zeros for words that are in no text."""
    lines = []
    for name, texts in data.sets.items():
        if part_of(name) == ("own", "train"):
            for row in np.flatnonzero(texts.learned).tolist():
                lines.append(list(chain.from_iterable(ids[row] for ids in texts.ids.values())))
    words = len(data.words)
    lengths = [len(line) for line in lines]
    columns = np.array(list(chain.from_iterable(lines)), np.int64)
    rows = np.repeat(np.arange(len(lines)), lengths)
    counts = sparse.csr_matrix((np.ones(len(columns)), (rows, columns)), (len(lines), words))
    counts.sum_duplicates()
    idf = np.log(len(lines) / np.maximum(np.bincount(counts.indices, minlength=words), 1))
    weighed = counts.copy()
    weighed.data = np.log1p(counts.data) * idf[counts.indices]
    norms = np.sqrt(np.asarray(weighed.multiply(weighed).sum(1)).ravel())
    weighed = sparse.diags(1 / np.maximum(norms, 1e-9)) @ weighed
    k = min(dimensions, min(weighed.shape) - 1)
    _, _, word_factors = randomized_svd(weighed, k, n_iter=4, random_state=seed)
    return (idf[:, None] * word_factors.T).astype(np.float32)


def mean_vectors(vectors: NDArray[np.float32]) -> Callable[[Sequence[Sequence[int]]], NDArray[np.float32]]:
    """An encoder of sentences: the mean of the vectors of their words."""

    def embed(sentences: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        lengths = np.array([len(sentence) for sentence in sentences])
        numbers = np.array(list(chain.from_iterable(sentences)), np.int64)
        rows = np.repeat(np.arange(len(sentences)), lengths)
        means = sparse.csr_matrix((1 / lengths[rows], (rows, numbers)), (len(sentences), len(vectors)))
        return (means @ vectors).astype(np.float32)

    return embed
