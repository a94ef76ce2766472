"""Latent semantic analysis: counts by hand, weights by hand, and the algebra of the decomposition."""

import math

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gensim.models import LogEntropyModel
from scipy import sparse

from repline.vectors import cooccurrence
from repline.vectors.cooccurrence import term_contexts, term_documents
from repline.vectors.lsa import decompose, log_entropy, lsa, ppmi, unit_columns
from repline.vectors.recipes import LSA
from repline.vectors.tokens import Tokens

ROWS = [
    ("1", "", ["a", "b", "a"]),
    ("1", "x", ["c"]),
    ("1", "x", []),
    ("2", "x", ["b", "z", "b", "c"]),
    ("2", "x", ["a"]),
    ("3", "", ["z"]),
    ("4", "", ["c", "a"]),
]
WORDS = ["a", "b", "c"]


@pytest.fixture(params=[1, 3, 100])
def tokens(tmp_path, monkeypatch, request):
    monkeypatch.setattr("repline.vectors.tokens.ROWS", request.param)
    monkeypatch.setattr(cooccurrence, "MAX_WAITING", request.param)
    columns = dict(zip(("doc_id", "section", "tokens"), map(list, zip(*ROWS, strict=True)), strict=True))
    pq.write_table(
        pa.table(columns | {"tokens": pa.array(columns["tokens"], pa.list_(pa.string()))}),
        tmp_path / "part-00000.parquet",
    )
    return Tokens(tmp_path)


@pytest.mark.parametrize(
    ("documents", "block", "expected"),
    [
        ("document", None, [[2, 1, 0, 1], [1, 2, 0, 0], [1, 1, 0, 1]]),
        ("section", None, [[2, 0, 1, 0, 1], [1, 0, 2, 0, 0], [0, 1, 1, 0, 1]]),
        ("sentence", None, [[2, 0, 0, 0, 1, 0, 1], [1, 0, 0, 2, 0, 0, 0], [0, 1, 0, 1, 0, 0, 1]]),
        # a b | a c || b z | b c | a || z || c a
        ("document", 2, [[1, 1, 0, 0, 1, 0, 1], [1, 0, 1, 1, 0, 0, 0], [0, 1, 0, 1, 0, 0, 1]]),
        # a b a | c || b z b | c a || z || c a
        ("document", 3, [[2, 0, 0, 1, 0, 1], [1, 0, 2, 0, 0, 0], [0, 1, 0, 1, 0, 1]]),
    ],
)
def test_words_in_documents(tokens, documents, block, expected):
    counted = term_documents(tokens, WORDS, documents=documents, block=block)
    assert counted.toarray().tolist() == expected


def test_words_beside_words(tokens):
    assert term_contexts(tokens, WORDS, window=1).toarray().tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 0]]
    assert term_contexts(tokens, WORDS, window=2).toarray().tolist() == [[2, 2, 1], [2, 2, 1], [1, 1, 0]]
    assert term_contexts(tokens, WORDS, window=50).toarray().tolist() == [[2, 2, 1], [2, 2, 2], [1, 2, 0]]


def test_log_entropy_by_hand():
    weighted = log_entropy(sparse.csr_array(np.array([[1.0, 1.0], [2.0, 0.0]]))).toarray()
    assert weighted[0] == pytest.approx([math.log(2) * (1 - math.log(2) / math.log(3))] * 2, abs=1e-12)
    assert 1 - math.log(2) / math.log(3) == pytest.approx(0.369070, abs=1e-6)
    assert weighted[1] == pytest.approx([math.log(3), 0], abs=1e-12)


@pytest.fixture
def counts():
    rng = np.random.default_rng(3)
    counted = rng.poisson(0.7, size=(30, 20)).astype(float)
    counted[np.arange(20), np.arange(20)] += 1
    counted[20:, 0] += 1
    return sparse.csr_array(counted)


def test_log_entropy_and_unit_documents_are_gensims(counts):
    dense = counts.toarray()
    corpus = [
        [(int(word), int(dense[word, document])) for word in np.flatnonzero(dense[:, document])]
        for document in range(20)
    ]
    theirs = np.zeros_like(dense)
    for document, weights in enumerate(LogEntropyModel(corpus, normalize=True)[corpus]):
        for word, weight in weights:
            theirs[word, document] = weight
    np.testing.assert_allclose(unit_columns(log_entropy(counts)).toarray(), theirs, atol=1e-12)


def test_columns_have_unit_length_and_empty_ones_stay(counts):
    emptied = counts.toarray()
    emptied[:, 4] = 0
    lengths = np.linalg.norm(unit_columns(sparse.csr_array(emptied)).toarray(), axis=0)
    assert lengths == pytest.approx(np.where(np.arange(20) == 4, 0, 1), abs=1e-12)


def test_ppmi_by_its_definition(counts):
    dense = counts.toarray()
    share = dense / dense.sum()
    contexts = dense.sum(0) ** 0.75 / (dense.sum(0) ** 0.75).sum()
    with np.errstate(divide="ignore"):
        expected = np.maximum(np.log(share / np.outer(share.sum(1), contexts)), 0)
    np.testing.assert_allclose(ppmi(counts).toarray(), expected, atol=1e-12)
    independent = sparse.csr_array(np.outer([1.0, 2, 3], [4.0, 5]))
    np.testing.assert_allclose(ppmi(independent, smoothing=1.0).toarray(), 0, atol=1e-12)


def test_the_decomposition_is_that_of_the_dense_matrix(counts):
    dense = counts.toarray()
    left, values, _ = np.linalg.svd(dense, full_matrices=False)
    vectors = decompose(counts, 5, iterations=30)
    np.testing.assert_allclose(np.abs(vectors), np.abs(left[:, :5] * values[:5]), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(decompose(counts, 5, singular_values=0.0), axis=0), 1, atol=1e-9)


def test_all_dimensions_have_the_cosines_of_the_rows(counts):
    rows = counts.toarray()
    rows[:, -1] = rows[:, 0] + rows[:, 1]  # rank 19, which 19 dimensions hold whole
    vectors = decompose(sparse.csr_array(rows), 19)
    np.testing.assert_allclose(vectors @ vectors.T, rows @ rows.T, atol=1e-8)


def test_words_without_context_are_noted(tmp_path):
    rows = [["a", "b", "c", "d", "e"], ["a", "c", "b"], ["d", "e", "b"], ["e", "a"]] * 5 + [["x"], ["y"]]
    pq.write_table(pa.table({"tokens": rows}), tmp_path / "part-00000.parquet")
    card = lsa(tmp_path, tmp_path / "v", LSA(contexts="window", dimensions=3, minimum_count=1))
    assert card["notes"] == ["2 words share no context with the others and have a zero vector: x, y"]
