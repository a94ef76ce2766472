"""A user's vectors and pairs of words, as every method that changes word vectors takes them."""

import numpy as np
import pytest

from repline.errors import InputError
from repline.systems.extrofitting.use import extrofit_words
from repline.systems.lexical_contrast.use import attract_repel_words, counter_fit_words
from repline.vectors.retrofitting import retrofit_words
from repline.vectors.word_pairs import float_matrix

WORDS = ["big", "large", "small", "little", "old", "new"]
MATRIX = np.random.default_rng(0).normal(size=(6, 3))
PAIRS = [("big", "large"), ("small", "little")]
METHODS = [attract_repel_words, counter_fit_words, extrofit_words, retrofit_words]


def fitted(method, words=WORDS, matrix=MATRIX, pairs=PAIRS):
    options = {"notice": lambda sentence: None} if method is attract_repel_words else {}
    return method(words, matrix, pairs, **options)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (MATRIX[:3], "expected a word for each of 3 vectors, found 6 words"),
        (MATRIX[:, 0], r"expected a matrix of floats, one row a word, found float64 6"),
        (None, "expected a matrix of floats, one row a word, found object"),
        (MATRIX.astype(str), r"expected a matrix of floats, one row a word, found <U\d+ 6 x 3"),
        ([[1.0], *MATRIX[1:].tolist()], "expected a matrix, one row a word; its rows differ in length"),
        (np.where(MATRIX[1, 2] == MATRIX, np.nan, MATRIX), r"the vector of 'large' \(row 1\) has nan as value 2"),
    ],
)
def test_wrong_vectors_are_named(method, matrix, message):
    with pytest.raises(InputError, match=message):
        fitted(method, matrix=matrix)


@pytest.mark.parametrize("method", METHODS)
def test_wrong_words_and_pairs_are_named(method):
    with pytest.raises(InputError, match="there are no vectors"):
        fitted(method, words=[], matrix=np.zeros((0, 3)))
    for pairs in (None, 5):
        with pytest.raises(InputError, match="expected pairs of words"):
            fitted(method, pairs=pairs)
    with pytest.raises(InputError, match=r"expected pairs of words, .* found 5 as item 1"):
        fitted(method, pairs=[PAIRS[0], 5])


@pytest.mark.parametrize("method", METHODS)
def test_whole_numbers_move_as_the_same_numbers_with_a_fraction_do(method):
    whole = np.random.default_rng(1).integers(-9, 10, size=(6, 3))
    expected = fitted(method, matrix=whole.astype(np.float64))
    assert fitted(method, matrix=whole).tolist() == expected.tolist() != whole.tolist()
    assert fitted(method, matrix=whole.tolist()).tolist() == expected.tolist()


def test_vectors_of_floats_are_not_copied():
    assert float_matrix(WORDS, MATRIX, "vectors") is MATRIX


def test_a_pair_can_be_anything_that_has_two_words():
    expected = fitted(retrofit_words).tolist()
    assert fitted(retrofit_words, pairs=(iter(pair) for pair in PAIRS)).tolist() == expected
    assert fitted(retrofit_words, pairs=np.array(PAIRS)).tolist() == expected
