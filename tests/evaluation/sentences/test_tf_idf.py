"""TF-IDF of words: by hand, and sentences without words."""

import numpy as np

from repline.evaluation.sentences.tf_idf import TfIdfEncoder, compared_words


def test_words_are_compared_without_marks_and_case():
    assert compared_words("The cat, the DOG .") == ["the", "cat", "the", "dog"]


def test_the_weights_are_those_of_the_definition():
    vectors = TfIdfEncoder()(["a b", "a c c", "..."])
    rare, common = np.log(4 / 2) + 1, np.log(4 / 3) + 1  # of b and c; of a
    expected = np.array([[common, rare, 0], [common, 0, 2 * rare], [0, 0, 0]])
    lengths = np.maximum(np.linalg.norm(expected, axis=1, keepdims=True), 1e-9)
    np.testing.assert_allclose(vectors, expected / lengths, rtol=1e-6)


def test_sentences_without_any_word_are_zero():
    assert not TfIdfEncoder()(["...", ""]).any()
