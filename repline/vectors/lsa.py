"""Latent semantic analysis: the rows of a weighted co-occurrence matrix in the space of its largest singular values."""

from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import randomized_svd
from threadpoolctl import threadpool_limits

from repline.cards import Card
from repline.errors import InputError
from repline.vectors.cooccurrence import term_contexts, term_documents
from repline.vectors.recipes import LSA
from repline.vectors.store import save
from repline.vectors.tokens import Tokens

DEFAULTS = LSA()


def lsa(corpus: str | Path, folder: str | Path, recipe: LSA = DEFAULTS, *, threads: int = 1) -> Card:
    """Count words in their contexts, weight, decompose, and write the word vectors into `folder`.

        X ~ U_k S_k V_k^T,     vectors = U_k S_k^p

    Args:
        corpus: see `repline.vectors.tokens.Tokens`.
        folder: replaces what was there, see `repline.vectors.store`.
        recipe: what is counted, how it is weighted, how many dimensions are left.
        threads: of the linear algebra; more change the last bits.

    Returns:
        The card.

    Raises:
        InputError: a corpus that cannot be read or is too small.

    Source: Deerwester et al. 1990, "Indexing by Latent Semantic Analysis".
    """
    tokens = Tokens(corpus, recipe.column, recipe.lower, recipe.keep)
    words, counts = tokens.vocabulary(minimum_count=recipe.minimum_count, maximum_words=recipe.maximum_words)
    if recipe.contexts == "documents":
        matrix = term_documents(tokens, words, documents=recipe.documents, block=recipe.block)
    else:
        matrix = term_contexts(tokens, words, window=recipe.window)
    contexts = matrix.shape[1]
    matrix = {"log_entropy": log_entropy, "ppmi": ppmi, "counts": sparse.csr_array}[recipe.weighting](matrix)
    matrix = unit_columns(matrix) if recipe.unit_contexts else matrix
    vectors = decompose(
        matrix,
        recipe.dimensions,
        singular_values=recipe.singular_values,
        iterations=recipe.iterations,
        seed=recipe.seed,
        threads=threads,
    )
    card = tokens.card()
    outside = [word for word, vector in zip(words, vectors, strict=True) if not vector.any()]
    note = f"{len(outside)} words share no context with the others and have a zero vector: {', '.join(outside[:20])}"
    return save(
        folder,
        words,
        vectors,
        counts=counts,
        description=f"LSA vectors of {card['name'] if card else Path(corpus).name}",
        licence=card["licence"] if card else "not stated",
        sources=[{"corpus": card}] if card else [],
        parameters=recipe.model_dump(),
        totals={"contexts": contexts, "tokens": int(counts.sum())},
        tools=["duckdb", "scikit-learn", "scipy"],
        notes=[note] if outside else [],
    )


def log_entropy(counts: sparse.csr_array) -> sparse.csr_array:
    """Weight counts by how unevenly a word is spread over the documents.

        x_ij = ln(1 + c_ij) g_i,    g_i = 1 + sum_j p_ij ln p_ij / ln(N + 1),    p_ij = c_ij / sum_j c_ij

    Args:
        counts: [V, N] of numbers from 0 up.

    Returns:
        [V, N]; a word that occurs in one document keeps its weight, one spread evenly over all has almost none.

    (scikit-learn has no such weighting; gensim's LogEntropyModel has this one, over bags of words in Python.)

    Source: Dumais 1991, "Improving the retrieval of information from external sources", with gensim's N + 1 for N.
    """
    weighted = sparse.csr_array(counts, dtype=np.float64, copy=True)
    rows = np.repeat(np.arange(weighted.shape[0]), np.diff(weighted.indptr))
    totals = np.bincount(rows, weighted.data, weighted.shape[0])
    shares = weighted.data / totals[rows]
    entropy = np.bincount(rows, shares * np.log(shares), weighted.shape[0])
    weights = 1 + entropy / np.log(weighted.shape[1] + 1)
    weighted.data = np.log1p(weighted.data) * weights[rows]
    return weighted


def ppmi(counts: sparse.csr_array, *, smoothing: float = 0.75) -> sparse.csr_array:
    """Positive pointwise mutual information of words and contexts.

        x_ij = max(0, ln(p_ij / (p_i q_j))),    q_j = c_j^a / sum_j c_j^a

    Args:
        counts: [V, N] of numbers from 0 up.
        smoothing: a; 1 is the plain estimate, less makes rare contexts less surprising.

    Returns:
        [V, N], without the zeros.

    Source: Levy, Goldberg & Dagan 2015, "Improving Distributional Similarity with Lessons Learned from Word
        Embeddings", section 3.2.
    """
    weighted = sparse.csr_array(counts, dtype=np.float64, copy=True)
    rows = np.repeat(np.arange(weighted.shape[0]), np.diff(weighted.indptr))
    words = np.bincount(rows, weighted.data, weighted.shape[0])
    contexts = np.bincount(weighted.indices, weighted.data, weighted.shape[1]) ** smoothing
    expected = words[rows] * (contexts / contexts.sum())[weighted.indices]
    weighted.data = np.maximum(np.log(weighted.data / expected), 0)
    weighted.eliminate_zeros()
    return weighted


def unit_columns(matrix: sparse.csr_array) -> sparse.csr_array:
    """[V, N] with every column that is not zero scaled to unit length."""
    lengths = np.sqrt(np.bincount(matrix.indices, matrix.data**2, matrix.shape[1]))
    lengths[lengths == 0] = 1
    scaled = matrix.copy()
    scaled.data = scaled.data / lengths[scaled.indices]
    return scaled


def decompose(
    matrix: sparse.csr_array,
    dimensions: int,
    *,
    singular_values: float = 1.0,
    iterations: int = 4,
    seed: int = 0,
    threads: int = 1,
) -> np.ndarray:
    """U_k S_k^p of a matrix, by randomized decomposition: float64 [V, k], each column's largest entry positive.

    Args:
        matrix: [V, N].
        dimensions: k, less than V and N. The first columns for a smaller k are nearly those for a larger one.
        singular_values: p.
        iterations: power iterations; 4 give the leading singular values to about three digits.
        seed, threads: of the random start, and of the linear algebra.

    Raises:
        InputError: k is not smaller than V and N.

    Source: Halko, Martinsson & Tropp 2011, "Finding structure with randomness", algorithms 4.4 and 5.1.
    """
    if dimensions >= min(matrix.shape):
        raise InputError(
            f"lsa.dimensions: {matrix.shape[0]} words in {matrix.shape[1]} contexts have less than {dimensions} + 1 "
            "singular values; lower it, or take a larger corpus or smaller documents"
        )
    with threadpool_limits(limits=threads):
        left, values, _ = randomized_svd(
            matrix, dimensions, n_iter=iterations, random_state=seed, power_iteration_normalizer="LU"
        )
    return left * values**singular_values
