"""LSA on smaller and smaller corpora, scored on tests of words.

    x_ij = ln(1 + c_ij) g_i,    g_i = 1 + Σ_j p_ij ln p_ij / ln(N + 1),    p_ij = c_ij / Σ_j c_ij
    X = [x_ij] with columns of length 1,    X ≈ U_k S_k V_kᵀ,    vectors U_k S_k

The paper does not say whether S belongs to the vectors; U_k alone is the variant "u". How a corpus is made smaller is
in `repline.systems.corpus_specificity.document_removal`.

Notation: c_ij counts word i in document j of N; k is one of `dimensions`. Scores are of the vectors' cosines.

Counts lie in `repline.vectors.cooccurrence`, weights and decomposition in `repline.vectors.lsa`.

Source: Altszyler, Sigman & Fernández Slezak 2018; log-entropy and unit columns are those of gensim.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from threadpoolctl import threadpool_limits

from repline.errors import InputError, shown
from repline.systems.corpus_specificity.corpus_vectors import save_vectors
from repline.systems.corpus_specificity.document_removal import (
    subcorpora,
)
from repline.systems.corpus_specificity.scores import Progress, ScoreRow, score_row
from repline.systems.corpus_specificity.settings import LSA
from repline.systems.corpus_specificity.word_tests import WordTest
from repline.vectors.cooccurrence import term_documents
from repline.vectors.lsa import decompose, log_entropy, unit_columns
from repline.vectors.tokens import Tokens

SPARE = 30  # dimensions that a randomized decomposition has beyond those wanted


def lsa_scores(
    documents: str | Path,
    tests: Mapping[str, WordTest],
    recipe: LSA,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[ScoreRow]:
    """Train LSA on every subcorpus of every test and score it.

    One decomposition at the largest k serves all smaller ones. A k that is not below the number of words and of
    documents is skipped.

    Args:
        documents: a corpus of one row a document, words as they are counted.
        tests: by name.
        recipe: the ks, the subcorpora, and how matrices are decomposed.
        threads: of the linear algebra.
        progress: called with every row.

    Returns:
        Rows {test, variant, method, size, sample, k, score, items, permuted, documents, tokens}. The variant
        is "us" for U_k S_k, "u" for U_k, and "raw", with k = 0, for the weighted counts themselves.

    Raises:
        InputError: a corpus that cannot be read or lacks a word of a test.
    """
    words, _ = Tokens(documents, lower=False).vocabulary()
    by_word = term_documents(Tokens(documents, lower=False), words, documents="sentence")
    counts = by_word.tocsc()
    row_of = {word: row for row, word in enumerate(words)}
    rows: list[ScoreRow] = []
    trained: dict[int, list[tuple[str, int, NDArray]]] = {}  # of the full corpus, by sample: words of all tests
    test_words = sorted({word for test in tests.values() for word in test.words})
    exactly = counts.shape[1] <= recipe.exact
    solve = partial(_lsa, recipe=recipe, exactly=exactly, threads=threads)
    for name, test in tests.items():
        missing = [word for word in test.words if word not in row_of]
        if missing:
            raise InputError(
                f"{documents}: {shown(missing[0])} of the test {shown(name)} is in no document; make the tests again"
            )
        word_in_document = sparse.csr_array(by_word[[row_of[word] for word in test.words]] > 0)
        seen: set[bytes] = set()  # document numbers
        for part in subcorpora(word_in_document, recipe.steps, recipe.samples):
            if exactly and part.documents.tobytes() in seen:
                continue
            seen.add(part.documents.tobytes())
            remaining = counts[:, part.documents]
            if part.method == "full":
                if part.sample not in trained:
                    rows_asked = [row_of[word] for word in test_words]
                    trained[part.sample] = list(solve(remaining, rows_asked, seed=part.sample))
                vectors, scored = trained[part.sample], test_words
            else:
                rows_asked = [row_of[word] for word in test.words]
                vectors, scored = list(solve(remaining, rows_asked, seed=part.sample)), test.words
            for variant, k, matrix in vectors:
                scores = test.scores(scored, matrix, part.sample)
                rows.append(score_row(name, variant, part, k, scores, int(remaining.sum())))
                if progress:
                    progress(rows[-1])
    return rows


def write_lsa(folder: str | Path, documents: str | Path, k: int | None, recipe: LSA, *, threads: int = 1) -> int:
    """Write the LSA vectors U_k S_k of every word of the whole corpus, for raw words.

    Args:
        folder: replaces what was there.
        documents: a corpus of one row a document.
        k: dimensions, at most; None for as many as the corpus allows, one fewer than words and than documents.
        recipe: how the matrix is decomposed.
        threads: of the linear algebra.

    Returns:
        The dimensions that the vectors have.

    Raises:
        InputError: there are fewer than two documents or words.
    """
    words, counts = Tokens(documents, lower=False).vocabulary()
    by_word = term_documents(Tokens(documents, lower=False), words, documents="sentence")
    largest = min(by_word.shape) - 1
    if largest < 1:
        raise InputError(
            f"LSA takes two documents and two words at least; found {by_word.shape[1]} and {by_word.shape[0]} (a long "
            "text is several documents, by its blocks)"
        )
    smaller = recipe.model_copy(update={"dimensions": [min(k or largest, largest)]})
    exactly = by_word.shape[1] <= recipe.exact
    vectors = _lsa(by_word.tocsc(), range(len(words)), recipe=smaller, exactly=exactly, seed=0, threads=threads)
    (matrix,) = (matrix for variant, _, matrix in vectors if variant == "us")
    parameters = smaller.model_dump(include={"dimensions", "exact"})
    save_vectors(folder, documents, words, matrix, counts, "LSA", parameters, "scipy")
    return int(matrix.shape[1])


def _lsa(
    counts: sparse.csc_array, word_rows: Sequence[int], *, recipe: LSA, exactly: bool, seed: int, threads: int
) -> Iterator[tuple[str, int, NDArray]]:
    """Yields (variant, k, vectors [n, k] of the words in `word_rows`) for every variant and k."""
    by_word = counts.tocsr()
    present = np.flatnonzero(np.diff(by_word.indptr))
    weighted = unit_columns(log_entropy(by_word[present]))
    present_rows = np.searchsorted(present, word_rows)
    yield "raw", 0, weighted[present_rows].toarray()
    limit = min(weighted.shape)
    possible = [k for k in sorted(recipe.dimensions) if k < limit]
    if not possible:
        return
    if exactly:
        with threadpool_limits(limits=threads):
            scaled, values = _exactly(weighted, present_rows, possible[-1])
    else:
        columns = min(possible[-1] + SPARE, limit - 1)  # the last columns of a randomized decomposition are the worst
        whole = decompose(weighted, columns, iterations=recipe.iterations, seed=seed, threads=threads)
        scaled, values = whole[present_rows], np.linalg.norm(whole, axis=0)
    for k in possible:
        yield "us", k, scaled[:, :k]
        yield "u", k, np.divide(scaled[:, :k], values[:k], out=np.zeros((len(present_rows), k)), where=values[:k] > 0)


def _exactly(weighted: sparse.csr_array, rows: NDArray, k: int) -> tuple[NDArray, NDArray]:
    """Rows of U_k S_k, [n, k], and S_k. X^T X = V S^2 V^T, and U S = X V."""
    last = weighted.shape[1] - 1
    squares, right_vectors = linalg.eigh((weighted.T @ weighted).toarray(), subset_by_index=(last - k + 1, last))
    return weighted[rows] @ right_vectors[:, ::-1], np.sqrt(np.maximum(squares[::-1], 0))
