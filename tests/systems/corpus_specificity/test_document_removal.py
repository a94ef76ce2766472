"""Removal of documents: what stays, that no word of the test is lost, and that sizes are exact."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from repline.corpora.parquet import sentence_schema
from repline.errors import InputError
from repline.systems.corpus_specificity.document_removal import (
    documents_with_words,
    domain,
    remove_out_of_domain,
    remove_random,
    sizes,
    write_documents,
)
from repline.systems.corpus_specificity.rarest_test_items import rarest, usable_categories
from repline.vectors.tokens import Tokens


def corpus(folder, documents):
    columns = {"doc_id": [str(i) for i in range(len(documents))], "sentence_id": [0] * len(documents)}
    table = pa.table(columns | {"tokens": documents}, schema=sentence_schema())
    folder.mkdir()
    pq.write_table(table.slice(0, len(documents) // 2), folder / "part-00000.parquet")
    pq.write_table(table.slice(len(documents) // 2), folder / "part-00001.parquet")
    return folder


def random_word_in_document(seed, words=12, documents=80, density=0.04):
    word_in_document = np.random.default_rng(seed).random((words, documents)) < density
    word_in_document[np.arange(words), np.random.default_rng(seed + 1).integers(documents, size=words)] = True
    return sparse.csr_array(word_in_document)


def test_carriers_are_the_rows_with_the_word(tmp_path):
    documents = corpus(tmp_path / "corpus", [["a", "b"], ["b", "b"], ["c"], ["a"]])
    assert documents_with_words(documents, ["a", "b"]).toarray().tolist() == [
        [True, False, False, True],
        [True, True, False, False],
    ]
    assert domain(documents_with_words(documents, ["a", "b"])).tolist() == [0, 1, 3]


@pytest.mark.parametrize("seed", range(5))
def test_out_of_domain_keeps_the_domain_and_is_nested(seed):
    word_in_document = random_word_in_document(seed)
    inside = set(domain(word_in_document).tolist())
    before = set()
    for size in range(len(inside), word_in_document.shape[1] + 1, 5):
        rows = remove_out_of_domain(word_in_document, size, seed=seed)
        assert len(rows) == len(set(rows.tolist())) == size
        assert (np.diff(rows) > 0).all() and rows.min() >= 0 and rows.max() < word_in_document.shape[1]
        assert inside <= set(rows.tolist())
        assert before <= set(rows.tolist())
        before = set(rows.tolist())
    assert remove_out_of_domain(word_in_document, len(inside), seed=0).tolist() == sorted(inside)


def test_out_of_domain_draws_differ_by_seed():
    word_in_document = random_word_in_document(0)
    size = (len(domain(word_in_document)) + word_in_document.shape[1]) // 2
    draws = {tuple(remove_out_of_domain(word_in_document, size, seed=seed)) for seed in range(10)}
    assert len(draws) == 10


def test_fewer_than_the_domain_cannot_stay():
    word_in_document = random_word_in_document(0)
    with pytest.raises(InputError, match="expected a size from"):
        remove_out_of_domain(word_in_document, len(domain(word_in_document)) - 1, seed=0)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [12, 20, 60, 80])
def test_random_has_the_size_and_every_word(seed, size):
    word_in_document = random_word_in_document(3)
    rows = remove_random(word_in_document, size, seed=seed)
    assert len(rows) == len(set(rows.tolist())) == size
    assert word_in_document[:, rows].sum(axis=1).min() >= 1
    assert rows.tolist() == remove_random(word_in_document, size, seed=seed).tolist()


def test_random_removal_does_take_documents_of_the_domain():
    word_in_document = random_word_in_document(0, density=0.2)
    inside = set(domain(word_in_document).tolist())
    assert not inside <= set(remove_random(word_in_document, 30, seed=0).tolist())


def test_random_exchange_spares_the_last_document_of_another_word():
    word_in_document = sparse.csr_array(np.eye(6, 30, dtype=bool))  # every word in one document of its own
    for seed in range(30):
        assert set(range(6)) <= set(remove_random(word_in_document, 6 + seed % 3, seed=seed).tolist())


def test_random_says_when_too_few_documents_are_asked_for():
    word_in_document = sparse.csr_array(np.eye(6, 30, dtype=bool))
    with pytest.raises(InputError, match="cannot hold all 6 words"):
        remove_random(word_in_document, 5, seed=0)


def test_a_word_without_documents_is_refused():
    word_in_document = sparse.csr_array(np.array([[True, False], [False, False]]))
    with pytest.raises(InputError, match="in no document"):
        remove_random(word_in_document, 1, seed=0)


def test_sizes_start_at_the_domain_and_leave_out_the_whole():
    word_in_document = sparse.csr_array(np.eye(20, 100, dtype=bool))
    assert sizes(word_in_document, 4) == [20, 40, 60, 80]
    assert sizes(word_in_document, 1) == [20]


def test_written_documents_are_the_chosen_rows(tmp_path):
    documents = corpus(tmp_path / "corpus", [[f"w{i}", "the", f"v{i}"] for i in range(1000)])
    selected = np.array([0, 3, 499, 500, 999])
    write_documents(documents, tmp_path / "some", selected)
    rows = list(Tokens(tmp_path / "some").sentences())
    assert rows == [[f"w{i}", "the", f"v{i}"] for i in selected]
    write_documents(documents, tmp_path / "fewer", selected, drop=["the", "w3"])
    rows = list(Tokens(tmp_path / "fewer").sentences())
    assert rows == [[f"w{i}", f"v{i}"] if i != 3 else ["v3"] for i in selected]


def test_a_category_has_its_first_frequent_single_words():
    words = ["red", "blue", "green", "dog", "cat", "star sapphire", "jet", "apple", "pear"]
    names = ["color"] * 3 + ["animal"] * 2 + ["stone"] * 2 + ["fruit"] * 2
    counts = dict.fromkeys(words, 5) | {"blue": 4}
    usable = usable_categories(words, names, counts, size=2)
    assert usable == [("color", ("red", "green")), ("animal", ("dog", "cat")), ("fruit", ("apple", "pear"))]


def test_categories_that_share_a_word_are_left_out():
    words = ["red", "orange", "dog", "cat", "apple", "orange", "oak", "pine"]
    names = ["color"] * 2 + ["animal"] * 2 + ["fruit"] * 2 + ["tree"] * 2
    usable = usable_categories(words, names, dict.fromkeys(words, 9), size=2)
    assert [name for name, _ in usable] == ["animal", "tree"]
    with pytest.raises(InputError, match="has 1 categories of 2 words"):
        usable_categories(words[:6], names[:6], dict.fromkeys(words, 9), size=2)


def test_rarest_groups_are_in_the_fewest_documents(tmp_path):
    documents = corpus(tmp_path / "corpus", [["a"], ["a", "b"], ["b"], ["c"], ["d"], ["c", "d"], ["c"], ["e"]])
    word_in_document = documents_with_words(documents, ["a", "b", "c", "d", "e"])
    assert rarest([("a", "b"), ("c", "d"), ("e",)], word_in_document, ["a", "b", "c", "d", "e"], 2) == [2, 0]
