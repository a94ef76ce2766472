"""LSA and word2vec of the whole corpus on raw words: the vectors that were scored, and the best dimensionality."""

import json
import shutil

import numpy as np
import pytest

import repline
from repline.errors import InputError
from repline.systems.corpus_specificity.lsa_training import lsa_scores, write_lsa
from repline.systems.corpus_specificity.scores import best_dimensions
from repline.systems.corpus_specificity.settings import LSA, SkipGram
from repline.systems.corpus_specificity.word2vec_training import word2vec_scores
from tests.systems.corpus_specificity.test_training import TESTS, made_documents, write

__all__ = ["write"]  # a fixture
CATEGORIES = {"categories": TESTS["categories"]}


def test_lsa_of_raw_words_has_the_score_that_was_measured(write, tmp_path):
    documents, recipe = write(made_documents()), LSA(dimensions=[2, 6, 12], steps=1, samples=1)
    rows = lsa_scores(documents, TESTS, recipe)
    k = best_dimensions(rows, "us")
    write_lsa(tmp_path / "lsa", documents, k, recipe)
    vectors = repline.load(shutil.copytree(tmp_path / "lsa", tmp_path / "elsewhere"))
    measured = {row["k"]: row["score"] for row in rows if (row["variant"], row["method"]) == ("us", "full")}
    words = TESTS["categories"].words
    scores = TESTS["categories"].scores(words, np.stack([vectors.vector(word.upper()) for word in words]), 0)
    by_k = {
        row["k"]: row["score"]
        for row in rows
        if (row["variant"], row["method"], row["test"]) == ("us", "full", "categories")
    }
    assert vectors.dimensions == k == max(by_k, key=by_k.get) and set(measured) == set(by_k)
    assert scores["score"] == pytest.approx(by_k[k], abs=1e-5)
    assert vectors.most_similar("TOPIC1word2", n=1)[0].word.startswith("topic1")


def test_word2vec_of_raw_words_is_the_training_that_was_scored(write, tmp_path):
    documents = write(made_documents(30))
    recipe = SkipGram(dimensions=[4, 8], steps=1, samples=1, epochs=2, window=3, negative=3)
    arguments = documents, CATEGORIES, tmp_path / "scratch", recipe
    rows = word2vec_scores(*arguments, vectors=tmp_path / "word2vec")
    vectors = repline.load(shutil.copytree(tmp_path / "word2vec", tmp_path / "elsewhere"))
    assert vectors.dimensions == best_dimensions(rows, "skip-gram")
    measured = [
        json.loads(path.read_text())["vectors"]
        for path in (tmp_path / "scratch").glob("*.json")
        if path.with_suffix("").is_dir()
    ]
    words = CATEGORIES["categories"].words
    assert [vectors.vector(word).tolist() for word in words] in measured
    assert word2vec_scores(*arguments) == rows
    assert len(vectors.words) > len(words)


def test_the_best_dimensionality_is_that_of_the_first_test_on_the_whole_corpus():
    def row(k, score, method="full", test="a", variant="us"):
        return {"k": k, "score": score, "method": method, "test": test, "variant": variant}

    rows = [row(5, 0.2), row(5, 0.4), row(9, 0.35), row(9, 0.2), row(9, 0.9, "random"), row(9, 0.9, test="b")]
    assert best_dimensions(rows, "us") == 5
    assert best_dimensions(rows, "skip-gram") is None


def test_empty_unknown_and_wrong_input(write, tmp_path):
    documents = write(made_documents(20))
    write_lsa(tmp_path / "lsa", documents, None, LSA(dimensions=[2], steps=1, samples=1))
    vectors = repline.load(tmp_path / "lsa")
    answers = vectors.answers([{"word": word} for word in ("Common1", "", "unheard", "词")])
    assert [answer["known"] for answer in answers] == [True, False, False, False]
    with pytest.raises(InputError, match="vector takes a word"):
        vectors.vector(["common1"])
    with pytest.raises(InputError, match="found a value of type list as item 0"):
        vectors.vectors([["common1"]])
